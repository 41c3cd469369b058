"""Plans as rules of a grammar: one rule for each state and scope that a tool's arguments lead to."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from slashgrammar.grammar.ir import NOTHING, Literal, Node, Reference, alt
from slashgrammar.grammar.keys import write_key
from slashgrammar.grammar.schema import scalars
from slashgrammar.grammar.schema.array_rules import ArrayWriter
from slashgrammar.grammar.schema.blocks import block_of
from slashgrammar.grammar.schema.facts import Matches
from slashgrammar.grammar.schema.keys import WORD, keys_but, words_but
from slashgrammar.grammar.schema.number_text import number_of
from slashgrammar.grammar.schema.numbers import Numbers
from slashgrammar.grammar.schema.object_rules import ObjectWriter
from slashgrammar.grammar.schema.objects import Others
from slashgrammar.grammar.schema.plans import Planner, Plans
from slashgrammar.grammar.schema.report import Report
from slashgrammar.grammar.schema.scope import Scope
from slashgrammar.grammar.schema.strings import Strings
from slashgrammar.grammar.schema.table import NEVER, State
from slashgrammar.grammar.schema.texts import Text, text_of

RULE_LIMIT = 20_000
"""How many rules one tool may have before further values are free."""

TEXT_LIMIT = 3_000
"""How many rules all its strings and numbers may have before what is asked of further ones is left out."""

_FREE_ARGUMENT = ("line_string", "number", "boolean", "null", "array", "object")


class Writer:
    """Writes the rules of one tool.

    `rules` holds them, under names that begin with the prefix, and `texts` those of strings and numbers, which have
    names that tell what they mean, and all match some text.
    """

    def __init__(self, planner: Planner, report: Report, prefix: str) -> None:
        self.planner = planner
        self.report = report
        self.rules: dict[str, Node] = {}
        self.texts: dict[str, Node] = {}
        self._prefix = prefix
        self._values: dict[tuple[State, Scope], Node] = {}
        self._queue: deque[tuple[str, Plans, Scope, str, bool]] = deque()
        self._objects = ObjectWriter(self)
        self._arrays = ArrayWriter(self)

    def name(self) -> str:
        """A fresh name for a rule."""
        name = f"{self._prefix}{len(self.rules) + 1}"
        self.rules[name] = NOTHING
        return name

    def value(self, state: State, scope: Scope, path: str) -> Node:
        """The JSON text of the values of a state; `path` says where it stands, for the report."""
        if state == NEVER:
            return NOTHING
        if state == ():
            self.report_free(path, "any value")
            return Reference("value")
        if len(self.rules) > RULE_LIMIT:
            self.report.add(path, "$ref", f"more than {RULE_LIMIT} rules: any value is taken")
            return Reference("value")
        if (state, scope) not in self._values:
            plans = self.planner.plans(state, scope)
            self._values[state, scope] = self.choice(plans, scope, self._path(state, path))
        return self._values[state, scope]

    def _path(self, state: State, path: str) -> str:
        return self.planner.table.path(state[-1]) if state[-1] > 0 else path

    def choice(self, plans: Plans, scope: Scope, path: str, *, block: bool = False) -> Node:
        """All that plans take, as a reference where it is more than scalars."""
        for remark in plans.widened:
            self.report.add(self.planner.table.path(remark.literal), remark.keyword, remark.reason)
        if not plans.arrays and not plans.objects:
            return self.scalars(plans, path, block=block)
        name = self.name()
        self._queue.append((name, plans, scope, path, block))
        return Reference(name)

    def scalars(self, plans: Plans, path: str, *, block: bool = False) -> Node:
        """What plans take of null, booleans, numbers and strings."""
        return alt(
            scalars.constants(plans.constants),
            *(self._number(numbers, path) for numbers in plans.numbers),
            *(self._string(strings, path, block=block) for strings in plans.strings),
        )

    def rule(self, node: Node) -> Node:
        """A reference to a new rule."""
        name = self.name()
        self.rules[name] = node
        return Reference(name)

    def key(self, kind: Others, path: str) -> Node:
        """The keys of a kind of properties, as JSON strings."""
        return alt(*(self._key(strings, path) for strings in self.planner.keys(kind)))

    def argument_key(self, kind: Others, path: str) -> Node:
        """The same as the key of an argument: a plain word where it is one, otherwise a JSON string."""
        found: list[Node] = []
        for strings in self.planner.keys(kind):
            if strings.values is not None:
                found += [Literal(write_key(name)) for name in strings.values]
            elif strings == Strings(excluded=strings.excluded):
                found += [self._text(words_but(strings.excluded), path), self._key(strings, path)]
            else:
                words = replace(strings, matches=(*strings.matches, Matches("pattern", f"^(?:{WORD.pattern})$")))
                wide = words_but(strings.excluded)
                found += [self._text_of(words, path, wide, once=True, quotes=False), self._key(strings, path)]
        return alt(*found)

    def argument_value(self, state: State, scope: Scope, path: str) -> tuple[Node, Node | None]:
        """The JSON text of an argument's values, and the code blocks that may stand for them."""
        if state == ():
            self.report_free(path, "any value")
            return alt(*(Reference(name) for name in _FREE_ARGUMENT)), Reference("block")
        plans = self.planner.plans(state, scope)
        if not any(strings.is_free for strings in plans.strings):
            blocks = [self._text(block, path) for strings in plans.strings if (block := block_of(strings))]
            return self.value(state, scope, path), alt(*blocks) if blocks else None
        plans.strings = [strings for strings in plans.strings if strings.is_free][:1]
        return self.choice(plans, scope, path, block=True), Reference("block")

    def _key(self, strings: Strings, path: str) -> Node:
        if strings.values is not None:
            return alt(*map(scalars.constant, strings.values))
        if strings == Strings(excluded=strings.excluded):
            return self._text(keys_but(strings.excluded), path)
        return self._text_of(strings, path, keys_but(strings.excluded), once=True)

    def _text_of(self, strings: Strings, path: str, wide: Text, *, once: bool = False, quotes: bool = True) -> Node:
        """The texts of a set that is not listed; the wide ones, and a remark, where the tool has too many rules."""
        if len(self.texts) <= TEXT_LIMIT:
            return self._text(text_of(strings, once=once, quotes=quotes), path)
        for keyword in strings.keywords:
            self.report.add(path, keyword, f"more than {TEXT_LIMIT} rules for strings and numbers: it is left out")
        return self._text(wide, path)

    def _text(self, text: Text, path: str) -> Node:
        self.texts.update(text.rules)
        for remark in text.remarks:
            self.report.add(path, remark.keyword, remark.reason)
        return text.node

    def _number(self, numbers: Numbers, path: str) -> Node:
        if numbers.values is not None:
            return alt(*map(scalars.constant, numbers.values))
        if numbers.is_free or len(self.texts) <= TEXT_LIMIT:
            return self._text(number_of(numbers), path)
        for keyword in numbers.keywords:
            self.report.add(path, keyword, f"more than {TEXT_LIMIT} rules for strings and numbers: it is left out")
        return self._text(number_of(Numbers(whole=numbers.whole or None)), path)

    def _string(self, strings: Strings, path: str, *, block: bool) -> Node:
        if strings.values is not None:
            return alt(*map(scalars.constant, strings.values))
        if strings.is_free:
            return Reference("line_string" if block else "string")
        return self._text_of(strings, path, Text(Reference("string"), {}))

    def report_free(self, path: str, what: str) -> None:
        """Report that keys of objects may be repeated."""
        self.report.add(path, "additionalProperties", f"{what}: its keys may repeat")

    def finish(self) -> None:
        """Write all rules that are still owed."""
        while self._queue:
            name, plans, scope, path, block = self._queue.popleft()
            self.rules[name] = alt(
                self.scalars(plans, path, block=block),
                *(self._arrays.write(arrays, scope, path) for arrays in plans.arrays),
                *(self._objects.write(objects, scope, path) for objects in plans.objects),
            )
