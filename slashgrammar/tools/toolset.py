"""A set of tools, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any

from slashgrammar.errors import GrammarError, ToolError
from slashgrammar.grammar.join import compile_tools
from slashgrammar.tools.gather import gather, leave_out
from slashgrammar.tools.nearest import nearest
from slashgrammar.tools.tool import Tool

if TYPE_CHECKING:
    from slashgrammar.calls import Call, Message, StreamParser
    from slashgrammar.errors import TextError
    from slashgrammar.grammar.compiled import CompiledGrammar

_THINK = ("<think>", "</think>")


class ToolSet:
    """The tools that a model may call: immutable, in order, each name once.

    Args:
        items: tools, functions, pydantic models, dataclasses, TypedDicts, and entries of any list that `load` knows.
        open_objects: what an object is whose schema does not say `additionalProperties`: closed, as in strict tool
            calling, or with True open, as JSON Schema has it. Compiling, parsing, streaming and checking all obey it.
        skip_unusable: leave out what can be no tool, with an `UnusableTool` warning for each that says why: what is
            none, a second one of the same name, and tools that cannot be called because nothing meets their schemas.

    Raises:
        ToolError: an item is no tool, or two have one name.
    """

    def __init__(
        self,
        items: Iterable[Tool | Callable[..., Any] | type | dict[str, Any]] = (),
        *,
        open_objects: bool = False,
        skip_unusable: bool = False,
    ) -> None:
        self._open_objects = open_objects
        if isinstance(items, str | dict):
            raise ToolError(
                f"expected tools, found {type(items).__name__}; use ToolSet.load or ToolSet.from_signatures"
            )
        skip = leave_out if skip_unusable else None
        self._tools = gather(items, open_objects=open_objects, skip=skip)

    @classmethod
    def load(
        cls, source: str | PathLike[str] | Any, *, open_objects: bool = False, skip_unusable: bool = False
    ) -> ToolSet:
        """The tools of a list: OpenAI's, Anthropic's, MCP's, a `functions_definition.json`, BFCL's function docs.

        Args:
            source: the path of a file, the text in JSON, or the list parsed from it (also the object that a client
                library such as MCP's gives back). A file may also hold signatures.
            open_objects, skip_unusable: see `ToolSet`.

        Raises:
            ToolError: the file cannot be read or is no such list, a tool cannot be used, or two have one name.
        """
        from slashgrammar.tools.files import in_file, load_tools, naming_file

        skip = (lambda error: leave_out(in_file(error, source))) if skip_unusable else None
        with naming_file(source):
            tools = gather(load_tools(source, skip), open_objects=open_objects, skip=skip)
        return cls(tools.values(), open_objects=open_objects)

    @classmethod
    def from_signatures(cls, text: str, *, open_objects: bool = False) -> ToolSet:
        """The tools of signature text, one a line: `read(path:str, from:int=0)->file content`.

        `grammars/signature.lark` says all that a signature may hold.

        Raises:
            SignatureError: with line, column and what was expected there.
            ToolError: two tools have one name.
        """
        from slashgrammar.tools.signature_reader import read_signatures

        return cls(read_signatures(text), open_objects=open_objects)

    @property
    def open_objects(self) -> bool:
        """Whether an object whose schema does not say `additionalProperties` may have others."""
        return self._open_objects

    def __len__(self) -> int:
        return len(self._tools)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __getitem__(self, name: str) -> Tool:
        """The tool of that name; raises ToolError where there is none."""
        if name not in self._tools:
            closest = nearest(name, self._tools)
            hint = f"did you mean {closest!r}?" if closest else f"there are {', '.join(self._tools) or 'none'}"
            raise ToolError(f"no such tool in this set; {hint}", tool=name)
        return self._tools[name]

    def __repr__(self) -> str:
        return f"<ToolSet {', '.join(self._tools) or 'empty'}>"

    def select(self, names: Iterable[str]) -> ToolSet:
        """The set of the named tools, in the order of the names; raises ToolError for a name that is not there."""
        return ToolSet([self[name] for name in names], open_objects=self._open_objects)

    def compile(
        self,
        *,
        tool_choice: str = "auto",
        parallel: bool = True,
        prose: bool = True,
        reasoning: bool | tuple[str, str] = False,
        style: str = "lines",
        dialect: str = "slash",
        cache: str | PathLike[str] | None = None,
    ) -> CompiledGrammar:
        """The grammar of all messages that a model may write with these tools.

        Args:
            tool_choice: "auto" (calls or none), "required" (at least one), "none", or the name of the tool to call.
            parallel: several calls in a message, or at most one.
            prose: text before the calls, or none.
            reasoning: reasoning first, in `<think>` or between the delimiters given, or none.
            style: "lines" (an argument a line) or "inline" (calls of one line where no code block is needed).
            dialect: "slash", or "hermes" for JSON between `<tool_call>` tags.
            cache: a folder that keeps compiled grammars for other processes, in files of plain data; it is made where
                it is not there, and grows. Within a process, grammars and the parts of single tools are kept anyway.

        Raises:
            ToolError: a schema that nothing satisfies, or that refers to what is not there.
            GrammarError: options that contradict each other.
            SetupError: the folder cannot be written to.
        """
        return compile_tools(
            self,
            tool_choice=tool_choice,
            parallel=parallel,
            prose=prose,
            reasoning=reasoning,
            style=style,
            dialect=dialect,
            cache=cache,
        )

    def parse(
        self,
        text: str,
        *,
        lenient: bool = False,
        reasoning: tuple[str, str] | None = _THINK,
        dialect: str = "slash",
    ) -> Message:
        """What a text holds: prose, reasoning, and calls that fit their tools.

        Args:
            text: the text, as a model wrote it.
            lenient: take what is almost right for what was meant, and list it in `Message.repairs`, as
                `slashgrammar.calls.lenient` describes; for models that nothing constrains.
            reasoning: the delimiters of reasoning; an empty opening one where the text begins inside it, None for none.
            dialect: how the calls are written, as in `compile`.

        Raises:
            TextError: the first thing that is wrong.
            GrammarError: there is no such dialect, or no lenient reading of it.
        """
        if dialect == "slash":
            from slashgrammar.calls import parse

            return parse(text, self, lenient=lenient, reasoning=reasoning)
        parser = self.stream(lenient=lenient, reasoning=reasoning, dialect=dialect)
        parser.feed(text)
        return parser.finish()

    def check(
        self, text: str, *, reasoning: tuple[str, str] | None = _THINK, dialect: str = "slash"
    ) -> list[TextError]:
        """All that is wrong with a text, in its order; empty where `parse` takes it."""
        from slashgrammar.dialects.notation import notation

        return notation(dialect).check(text, self, reasoning)

    def stream(
        self,
        *,
        lenient: bool = False,
        reasoning: tuple[str, str] | None = _THINK,
        dialect: str = "slash",
    ) -> StreamParser:
        """A parser for a text that comes in pieces: `feed` each, then `finish`; arguments as in `parse`."""
        from slashgrammar.dialects.notation import notation

        if not lenient:
            return notation(dialect).parser(self, reasoning=reasoning)
        if dialect != "slash":
            raise GrammarError(f"there is no lenient reading of the dialect {dialect}; leave out lenient=True")
        from slashgrammar.calls.lenient import LenientParser

        return LenientParser(self, reasoning=reasoning)

    def render(self, calls: Iterable[Call], *, style: str = "lines", dialect: str = "slash") -> str:
        """The calls as text, in canonical writing, arguments and keys in declared order.

        Raises:
            ToolError: a value is no JSON, or a name can be no tool's.
            GrammarError: there is no such dialect, or it has no such style.
        """
        from slashgrammar.dialects.notation import notation

        return notation(dialect, style=style).render(calls, self, style)

    def prompt(
        self,
        *,
        descriptions: bool = False,
        examples: Iterable[Call] = (),
        template: str | None = None,
        system: str | None = None,
        parallel: bool = True,
        style: str = "lines",
        dialect: str = "slash",
    ) -> str:
        """The system prompt that tells a model of these tools and of the format.

        Args:
            descriptions: also say what parameters mean, where their descriptions do.
            examples: calls to show; without any, one is made up from a tool's schema.
            template: other wording, with `{signatures}`, `{examples}` and, where the user's system message is to
                stand elsewhere than first, `{system}`.
            system: the user's system message.
            parallel: say that one message may hold several calls, or only one.
            style, dialect: how calls are written, as in `compile`. The dialect "hermes" has definitions in JSON,
                descriptions included, in the place of signatures.

        Raises:
            ToolError: an example calls no tool of this set, or the template has no place for the signatures.
            GrammarError: there is no such dialect, or it has no such style.
        """
        from slashgrammar.prompts.signature import prompt

        return prompt(
            self,
            descriptions=descriptions,
            examples=examples,
            template=template,
            system=system,
            parallel=parallel,
            style=style,
            dialect=dialect,
        )

    def call(self, call: Call) -> Any:
        """Run the function of the called tool; the only thing in this package that runs what a model asks for.

        Its arguments are turned into what the function's annotations ask for, by pydantic. The tool of a model,
        dataclass or TypedDict gives back an instance of it; an async function its coroutine.

        Raises:
            ToolError: there is no such tool, it has no function, or the arguments do not fit. What the function itself
                raises is passed on.
        """
        from slashgrammar.tools.callables import bind

        tool = self[call.name]
        if tool.function is None:
            raise ToolError("no function came with this tool; run it where it comes from", tool=tool.name)
        return bind(tool.name, tool.function, call.arguments)()
