"""The arguments of a tool as a grammar: its parameters' JSON Schema, seen from the call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any

from slashgrammar.errors import ToolError
from slashgrammar.grammar.ir import NOTHING, Node
from slashgrammar.grammar.schema.closed import close
from slashgrammar.grammar.schema.normalise import normalise
from slashgrammar.grammar.schema.objects import Objects, Others, Property
from slashgrammar.grammar.schema.plain import plain_values
from slashgrammar.grammar.schema.plans import Planner
from slashgrammar.grammar.schema.productive import drop_impossible
from slashgrammar.grammar.schema.references import escape
from slashgrammar.grammar.schema.report import Report, Widening
from slashgrammar.grammar.schema.scope import Scope
from slashgrammar.grammar.schema.table import State, Table
from slashgrammar.grammar.schema.writer import Writer

if TYPE_CHECKING:
    from slashgrammar.tools.tool import Tool

SHAPE_LIMIT = 64
"""How many shapes are written out to keep a bound on the number of arguments."""


@dataclass(frozen=True, slots=True)
class Value:
    """The ways to write the value of an argument.

    Attributes:
        json: its JSON text. Where any code block can be written as well, a free string in it is `line_string`.
        block: the code blocks that can be written instead, from fence to fence: `Reference("block")` for all where
            strings are free; for others those that obey the schema, or None where no block can, or none is needed.
    """

    json: Node
    block: Node | None


@dataclass(frozen=True, slots=True)
class Argument:
    """A key and its value. The key is a declared name, or a node for the text of other keys as it stands before `=`."""

    key: str | Node
    value: Value


@dataclass(frozen=True, slots=True)
class Entry:
    """One of some arguments, at least `least` and at most `most` times (None: any number of times).

    A declared argument is an entry of one argument, `least` 0 or 1 and `most` 1. Undeclared arguments are one entry
    with an argument for each kind of key, usually repeated without bound.
    """

    arguments: tuple[Argument, ...]
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Arguments:
    """What the arguments of a call may be.

    Attributes:
        shapes: the alternatives, each the entries in the order in which they are written. Never empty; a shape without
            entries is a call without arguments.
        rules: further rules that nodes refer to, besides those of the generation grammar. Their names begin with the
            tool's name and a colon, so that rules of several tools can be put together.
        report: what of the schema the grammar takes more widely.
    """

    shapes: tuple[tuple[Entry, ...], ...]
    rules: dict[str, Node]
    report: tuple[Widening, ...]


def compile_arguments(tool: Tool, *, open_objects: bool) -> Arguments:
    """The arguments that a tool's parameters allow, as IR.

    The nodes refer to `rules` and to these rules of the generation grammar: string, line_string, integer, number,
    boolean, null, value, array, object, begin_array, end_array, begin_object, end_object, comma, colon.

    Raises ToolError where the schema is none (see `normalise`), or where no arguments meet it.
    """
    plain = plain_values(tool.parameters, open_objects, _compile_closed)
    if plain is None:
        return _compile(tool.parameters, tool.name, open_objects)
    values, rules = plain
    entries = (Entry((Argument(name, value),), int(required), 1) for name, (value, required) in values.items())
    return Arguments((tuple(entries),), rules, ())


def _compile(parameters: dict[str, Any], name: str, open_objects: bool) -> Arguments:
    schema = close(normalise(parameters, tool=name), open_objects)
    compiler = _Compiler(name, Table(schema))
    for path, pattern in schema.unread:
        compiler.report.add(path, "pattern", f"{pattern} is no regular expression; it is left out")
    return compiler.run()


def _compile_closed(parameters: dict[str, Any], name: str) -> Arguments:
    return _compile(parameters, name, open_objects=False)


class _Compiler:
    def __init__(self, tool: str, table: Table) -> None:
        self.tool = tool
        self.planner = Planner(table)
        self.report = Report(tool)
        self.writer = Writer(self.planner, self.report, f"{tool}:")
        self.root = table.state([table.root])
        self.scope = self.planner.scopes.of([table.root])

    def run(self) -> Arguments:
        plans = self.planner.plans(self.root, self.scope)
        for remark in plans.widened:
            self.report.add(self.planner.table.path(remark.literal), remark.keyword, remark.reason)
        shapes = [shape for objects in plans.objects for one in self._uncounted(objects) for shape in self._shapes(one)]
        self.writer.finish()
        rules, clean = drop_impossible(self.writer.rules)
        possible = tuple(dict.fromkeys(kept for shape in shapes if (kept := _cleaned(shape, clean)) is not None))
        if not possible:
            raise self._unsatisfiable(shapes, clean)
        return Arguments(possible, rules | self.writer.texts, tuple(self.report))

    def _unsatisfiable(self, shapes: list[tuple[Entry, ...]], clean: Callable[[Node], Node]) -> ToolError:
        for entry in (entry for shape in shapes for entry in shape if entry.least):
            (argument, *_) = entry.arguments
            if isinstance(argument.key, str) and clean(argument.value.json) == NOTHING:
                path = f"/properties/{escape(argument.key)}"
                return ToolError("it is required, but no value meets its schema; correct it", tool=self.tool, path=path)
        return ToolError("no arguments meet its parameters; correct the schema", tool=self.tool, path="/")

    def _shapes(self, objects: Objects) -> Iterator[tuple[Entry, ...]]:
        """The objects as shapes: where one of the others has to occur, one for each number of others before it."""
        scopes = self.planner.scopes
        entries = []
        for known in objects.properties:
            inner = scopes.property(self.scope, known.name)
            value = self._value(known.state, inner, f"/properties/{escape(known.name)}")
            entries.append(Entry((Argument(known.name, value),), int(known.required), 1))
        others = tuple(self._other(kind) for kind in objects.others)
        if others:
            self.writer.report_free("", "further arguments")
        if objects.must is None:
            yield (*entries, Entry(others, objects.least, objects.most)) if others else tuple(entries)
            return
        must = Entry((self._other(objects.must),), 1, 1)
        if objects.most is None:
            yield (*entries, Entry(others, objects.least, None), must, Entry(others, 0, None))
        for before in range(objects.least if objects.most is None else objects.most + 1):
            most = None if objects.most is None else objects.most - before
            yield (*entries, Entry(others, before, before), must, Entry(others, max(objects.least - before, 0), most))

    def _other(self, kind: Others) -> Argument:
        scope = self.planner.scopes.other(self.scope)
        return Argument(self.writer.argument_key(kind, ""), self._value(kind.state, scope, "/additionalProperties"))

    def _value(self, state: State, scope: Scope, path: str) -> Value:
        return Value(*self.writer.argument_value(state, scope, path))

    def _uncounted(self, objects: Objects) -> list[Objects]:
        """The objects as several sets without bounds but on the number of others, as shapes have to be."""
        if not objects.least and objects.most is None:
            return [objects]
        found = list(islice(_cases(objects), SHAPE_LIMIT + 1))
        splits = sum(max(one.least, one.most or 0) for one in found if one.must)
        if len(found) + splits <= SHAPE_LIMIT:
            return found
        self.report.add("", "minProperties" if objects.least else "maxProperties", "any number of arguments is taken")
        return [replace(objects, least=0, most=None)]


def _cases(objects: Objects) -> Iterator[Objects]:
    """One set of objects for each choice of optional properties; where one is enough, for each that comes first."""
    optional = [known for known in objects.properties if not known.required]
    needed = len(objects.properties) - len(optional) + (objects.must is not None)
    least = max(objects.least - needed, 0)
    if least <= 1 and objects.most is None:
        for index, first in enumerate(optional):
            yield replace(_with(objects, {first.name}, set(_names(optional[index + 1 :]))), least=0)
        if objects.others:
            yield replace(_with(objects, set(), set()), least=1)
        return
    most = len(optional) if objects.most is None else min(len(optional), objects.most - needed)
    for size in range(0 if objects.others else least, most + 1):
        for chosen in combinations(_names(optional), size):
            more = None if objects.most is None else objects.most - needed - size
            yield replace(_with(objects, set(chosen), set()), least=max(least - size, 0), most=more)


def _names(properties: list[Property]) -> list[str]:
    return [known.name for known in properties]


def _with(objects: Objects, present: set[str], possible: set[str]) -> Objects:
    """The objects with some optional properties, perhaps with some, and without the rest of the optional ones."""
    kept = []
    for known in objects.properties:
        if known.required or known.name in possible:
            kept.append(known)
        elif known.name in present:
            kept.append(replace(known, required=True))
    return replace(objects, properties=tuple(kept))


def _cleaned(shape: tuple[Entry, ...], clean: Callable[[Node], Node]) -> tuple[Entry, ...] | None:
    """The shape without arguments that can have no value; None if one of these has to be there."""
    entries = []
    for entry in shape:
        arguments = []
        for argument in entry.arguments:
            value = replace(argument.value, json=clean(argument.value.json))
            key = argument.key if isinstance(argument.key, str) else clean(argument.key)
            if NOTHING not in (key, value.json):
                arguments.append(Argument(key, value))
        if arguments:
            entries.append(replace(entry, arguments=tuple(arguments)))
        elif entry.least:
            return None
    return tuple(entries)
