"""Everything that slashgrammar raises on purpose.

    SlashError
    ├── TextError                 a text is not what the format or the tools ask for
    │   ├── SlashSyntaxError          it leaves the grammar
    │   │   └── IncompleteCall            it ends inside a call; `.message` holds what was there
    │   ├── UnknownTool               a call of a tool that does not exist
    │   └── ArgumentError             a call that does not fit its tool
    │       ├── UnknownArgument
    │       ├── DuplicateArgument         also a key that an object holds twice
    │       ├── MissingArgument
    │       └── InvalidArgument           a value that its schema does not take
    ├── ToolError                 a tool, or a list of tools, cannot be used
    │   └── SignatureError            a signature cannot be read
    ├── GrammarError              a grammar cannot be compiled, or an engine must not be given it
    │   └── AutomatonTooLarge         (grammar/automaton/positions.py) a regular language that takes too many states
    └── SetupError                something is missing on this machine
        ├── MissingExtra              an optional dependency; the message has the command that installs it
        └── ModelError                a model file that is absent or cannot be used

Every message says what is wrong, where, what was expected, and what to do. `UnusableTool` is a warning, no error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slashgrammar.calls.message import Message


class SlashError(Exception):
    """The root of the tree; catches everything that this package raises on purpose.

    Attributes:
        line, column: the place in the text that is to blame, both counted from 1; None where there is none.
        source: the line of the text that holds the place, or "".
    """

    line: int | None = None
    column: int | None = None
    source: str = ""


class TextError(SlashError):
    """A place in a text that is not what the format or the tools ask for.

    Attributes:
        problem: what is wrong, in one sentence without the place.
        offset: index into the text of the first character that is wrong.
        line, column: the same place, both counted from 1; never None.
        tool: the called tool, or None outside of calls.
        path: JSON path of the argument below the call's arguments, such as `edits[0].old`, or "".
        expected: what could have stood there, or "".
        nearest: the known name that is closest to an unknown one, or None.
        signature: the signature of the called tool, for `feedback`, or None.
    """

    line: int
    column: int

    def __init__(
        self,
        problem: str,
        *,
        offset: int = 0,
        line: int = 1,
        column: int = 1,
        tool: str | None = None,
        path: str = "",
        expected: str = "",
        nearest: str | None = None,
        source: str = "",
        signature: str | None = None,
    ) -> None:
        self.problem = problem
        self.offset = offset
        self.line = line
        self.column = column
        self.tool = tool
        self.path = path
        self.expected = expected
        self.nearest = nearest
        self.source = source
        self.signature = signature
        super().__init__(self._describe())

    @property
    def code(self) -> str:
        """The kind of error as a stable word for programs: the name of its class."""
        return type(self).__name__

    def _describe(self) -> str:
        place = f"line {self.line}, column {self.column}"
        if self.tool is not None:
            place += f", /{self.tool}"
        if self.path:
            place += f", argument {self.path}"
        text = f"{place}: {self.problem}"
        if self.expected:
            text += f"; expected {self.expected}"
        if self.nearest is not None:
            text += f"; did you mean {self.nearest}?"
        return text

    def to_dict(self) -> dict[str, object]:
        """The error as plain data, for `--json` and logs."""
        fields = ("code", "line", "column", "offset", "tool", "path", "problem", "expected", "nearest")
        return {"message": str(self), **{name: getattr(self, name) for name in fields}}

    def feedback(self) -> str:
        """At most 80 tokens that let a model correct itself: what was wrong, where, and the tool's signature."""
        from slashgrammar.calls.feedback import feedback

        return feedback(self)


class SlashSyntaxError(TextError):
    """The text leaves the grammar of the format."""


class IncompleteCall(SlashSyntaxError):
    """The text ends inside a call, as it does when a token budget runs out.

    Attributes:
        message: the `Message` so far, with the unfinished call in `message.partial`.
    """

    message: Message


class UnknownTool(TextError):
    """A call of a tool that is not in the set."""


class ArgumentError(TextError):
    """A call that does not fit its tool."""


class UnknownArgument(ArgumentError):
    """An argument, or a key of an object, that the schema does not know."""


class DuplicateArgument(ArgumentError):
    """An argument, or a key of an object, that is given twice."""


class MissingArgument(ArgumentError):
    """An argument, or a key of an object, that the schema requires and the call lacks."""


class InvalidArgument(ArgumentError):
    """A value that its schema does not take."""


class ToolError(SlashError):
    """A tool, or a list of tools, that cannot be used.

    Attributes:
        problem: what is wrong, without the place.
        tool: the name of the tool, where there is one.
        path: JSON path of the place in its definition, or ""; the name of its file stands before it.
        line, column, source: the place in the text, where it cannot be read.
    """

    def __init__(
        self,
        message: str,
        *,
        tool: str | None = None,
        path: str = "",
        line: int | None = None,
        column: int | None = None,
        source: str = "",
    ) -> None:
        self.problem = message
        self.tool = tool
        self.path = path
        self.line = line
        self.column = column
        self.source = source
        where = f"tool {tool!r}" if tool is not None else ""
        if path:
            where += f" at {path}" if where else path
        super().__init__(f"{where}: {message}" if where else message)

    def of_file(self, name: str) -> ToolError:
        """The error with the name of the file in which the tool is defined; itself where it has that."""
        if self.path == name or self.path.startswith(f"{name}: "):
            return self
        place = f"{name}: {self.path}" if self.path else name
        return ToolError(
            self.problem, tool=self.tool, path=place, line=self.line, column=self.column, source=self.source
        )


class UnusableTool(UserWarning):
    """A tool was left out of a set, as `ToolSet(…, skip_unusable=True)` asks; the message is that of the ToolError."""


class SignatureError(ToolError):
    """A signature that cannot be read.

    Attributes:
        expected: what could have stood at the place.
    """

    def __init__(self, message: str, *, line: int, column: int, source: str = "", expected: str = "") -> None:
        self.expected = expected
        text = f"line {line}, column {column}: {message}"
        text = f"{text}; expected {expected}" if expected else text
        super().__init__(text, line=line, column=column, source=source)


class GrammarError(SlashError):
    """A grammar that cannot be compiled, or that an engine must not be given.

    Attributes:
        grammar: the name of the grammar, often a file name.
        rule: the rule or terminal, where one is to blame.
    """

    def __init__(
        self,
        message: str,
        *,
        grammar: str | None = None,
        rule: str | None = None,
        line: int | None = None,
        column: int | None = None,
        source: str = "",
    ) -> None:
        self.grammar = grammar
        self.rule = rule
        self.line = line
        self.column = column
        self.source = source
        parts = (grammar, f"line {line}" if line is not None else None, f"rule {rule}" if rule is not None else None)
        where = ", ".join(part for part in parts if part is not None)
        super().__init__(f"{where}: {message}" if where else message)


class SetupError(SlashError):
    """Something is missing on this machine."""


class MissingExtra(SetupError, ImportError):
    """An optional dependency is not installed; the message has the command that installs it."""

    def __init__(self, extra: str, needed_for: str) -> None:
        self.extra = extra
        super().__init__(f'{needed_for} needs an extra; install it with: pip install "slashgrammar[{extra}]"')


class ModelError(SetupError):
    """A model file that is absent or cannot be used."""
