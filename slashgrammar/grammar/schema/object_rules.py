"""Objects as rules: properties in declared order, optional ones left out or not, in linear size.

The comma is what makes that a matter: a property has one before it only if something stands before. So there are two
chains over the properties, one for "nothing yet" and one for "something yet", and the second is shared.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from slashgrammar.grammar.ir import EMPTY, NOTHING, Literal, Node, Reference, alt, opt, repeat, seq
from slashgrammar.grammar.schema import scalars
from slashgrammar.grammar.schema.objects import Objects, Others
from slashgrammar.grammar.schema.references import escape
from slashgrammar.grammar.schema.scope import Scope

if TYPE_CHECKING:
    from slashgrammar.grammar.schema.writer import Writer

_BEGIN, _END, _COMMA, _COLON = (Reference(name) for name in ("begin_object", "end_object", "comma", "colon"))
COUNTED_LIMIT = 2_000
"""How many rules an object may need to count its properties before the bound is widened."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A property as written, and whether it has to be there."""

    node: Node
    required: bool


@dataclass(frozen=True, slots=True)
class _Chain:
    """The members in their order, then others; `must` is one that has to be among these."""

    members: tuple[_Member, ...]
    other: Node
    must: Node | None
    least: int
    most: int | None


class ObjectWriter:
    """Writes the objects of one tool."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def write(self, objects: Objects, scope: Scope, path: str) -> Node:
        """The JSON text of a set of objects."""
        if objects.is_free:
            self._writer.report_free(path, "any object")
            return Reference("object")
        chain = self._chain(objects, scope, path)
        if not chain.least and chain.most is None:
            return seq(_BEGIN, self._plain(chain), _END)
        return seq(_BEGIN, self._counted(chain, path), _END)

    def _chain(self, objects: Objects, scope: Scope, path: str) -> _Chain:
        scopes = self._writer.planner.scopes
        members = []
        for known in objects.properties:
            where = f"{path}/properties/{escape(known.name)}"
            value = self._writer.value(known.state, scopes.property(scope, known.name), where)
            members.append(_Member(seq(Literal(scalars.quoted(known.name)), _COLON, value), known.required))
        others = [self._other(kind, scope, path) for kind in objects.others]
        must = self._other(objects.must, scope, path) if objects.must else None
        if others:
            self._writer.report_free(path, "further properties")
        return _Chain(tuple(members), alt(*others), must, objects.least, objects.most)

    def _other(self, kind: Others, scope: Scope, path: str) -> Node:
        where = f"{path}/additionalProperties"
        value = self._writer.value(kind.state, self._writer.planner.scopes.other(scope), where)
        return seq(self._writer.key(kind, path), _COLON, value)

    def _plain(self, chain: _Chain) -> Node:
        """Members without bounds on their number."""
        members = chain.members
        first = next((index for index, member in enumerate(members) if member.required), len(members))
        # What follows each place where something stands before: rules for those that several ways lead to.
        after: Node = seq(*self._others_after(chain))
        tails: dict[int, Node] = {}
        for index in range(len(members) - 1, -1, -1):
            if index < first:
                tails[index] = after = self._writer.rule(after) if index + 1 < len(members) else after
            elif index == first:
                tails[index] = after
            entry = seq(_COMMA, members[index].node)
            after = seq(entry if members[index].required else opt(entry), after)
        ways = [seq(members[index].node, tails[index]) for index in range(min(first + 1, len(members)))]
        if first == len(members):
            ways.append(self._others_first(chain))
        return alt(*ways)

    def _others_after(self, chain: _Chain) -> list[Node]:
        more = repeat(seq(_COMMA, chain.other))
        return [more] if chain.must is None else [more, _COMMA, chain.must, more]

    def _others_first(self, chain: _Chain) -> Node:
        if chain.must is not None:
            more = repeat(seq(_COMMA, chain.other))
            return seq(repeat(seq(chain.other, _COMMA)), chain.must, more)
        return _listed(chain.other, 0, None)

    def _counted(self, chain: _Chain, path: str) -> Node:
        """Members with bounds: a rule for each place and number of members before it."""
        least, most = chain.least, chain.most
        enough = max(least, 1 if most is None else most)
        if (enough + 1) * (len(chain.members) + 1) > COUNTED_LIMIT or chain.must is not None:
            self._writer.report.add(path, "minProperties" if least else "maxProperties", "any number is taken")
            return self._plain(replace(chain, least=0, most=None))
        known: dict[tuple[int, int], Node] = {}
        size = len(chain.members)
        for count in range(enough + 1):
            low = max(0, least - count)
            high = None if most is None else most - count
            if high is not None and high < low:
                known[size, count] = NOTHING
            elif count:
                known[size, count] = repeat(seq(_COMMA, chain.other), low, high)
            else:
                known[size, count] = _listed(chain.other, low, high)
        for index in range(size - 1, -1, -1):
            member = chain.members[index]
            for count in range(min(index, enough), -1, -1):
                following = min(count + 1, enough) if most is None else count + 1
                entry = seq(_COMMA, member.node) if count else member.node
                taken = seq(entry, known.get((index + 1, following), NOTHING))
                ways = taken if member.required else alt(taken, known[index + 1, count])
                known[index, count] = ways if ways in (EMPTY, NOTHING) else self._writer.rule(ways)
        return known[0, 0]


def _listed(item: Node, least: int, most: int | None) -> Node:
    """So many items with commas between them."""
    if most == 0:
        return EMPTY
    some = seq(item, repeat(seq(_COMMA, item), max(least - 1, 0), None if most is None else most - 1))
    return some if least else opt(some)
