"""Rules that many grammars have in common, prepared once for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from slashgrammar.grammar.ir import Grammar, Literal, Node, Reference, seq
from slashgrammar.grammar.rewrite.analysis import least_fixpoint, names_in, nullable
from slashgrammar.grammar.rewrite.cost import LONG
from slashgrammar.grammar.rewrite.rebuild import substitute


@dataclass(frozen=True, slots=True)
class Settled:
    """Prepared rules that a grammar can refer to.

    While the grammar that refers to them is prepared, each of these rules is the text of its `stand_ins`. Passes keep
    the language whatever that text is, and look at no rule that is only such a text; so they keep it, too, once the
    rule is put in the place of the text.

    Attributes:
        rules: the rules, and those that they need, which lead to no others.
        stand_ins: for each rule that may be referred to a text of its own, which is not empty, as no text of the rule
            is.
    """

    rules: Mapping[str, Node]
    stand_ins: Mapping[str, Node]

    def extended(self, rules: Mapping[str, Node]) -> Settled:
        """With more rules, each of which is prepared, and matches no empty text if it is referred to from elsewhere."""
        return Settled({**self.rules, **rules}, {**self.stand_ins, **{name: _stand_in(name) for name in rules}})

    def stand_in(self, grammar: Grammar) -> Grammar:
        """The grammar, with these rules replaced by their stand-ins."""
        return Grammar({**grammar.rules, **self.stand_ins}, grammar.start)

    def put_in(self, grammar: Grammar) -> Grammar:
        """The grammar, with the rules that it refers to instead of their stand-ins, and all that these need."""
        rules = dict(grammar.rules)
        todo = [name for name in rules if name in self.stand_ins]
        while todo:
            name = todo.pop()
            body = rules[name] = self.rules[name]
            todo.extend(other for other in names_in(body) if other not in rules)
        return Grammar(rules, grammar.start)


def settle(source: Mapping[str, Node], prepared: Grammar, names: Iterable[str]) -> Settled:
    """The rules of a prepared grammar, ready to be referred to.

    Args:
        source: the rules before they were prepared, with `all_of` to keep those that may be referred to as they are.
        names: these rules. Those that are gone, because they are written where they are used, and those that match the
            empty text, get no stand-in.
    """
    empty = least_fixpoint(prepared.rules, nullable)
    kept = {name for name in names if name in prepared.rules}
    # The other names may stand for something else elsewhere; no rule of a grammar has a name with a space at its end.
    others = [name for name in prepared.rules if name not in kept]
    internal = {name: f"{name if name in source else f'shared {number}'} " for number, name in enumerate(others)}
    rules = renamed({name: prepared.rules[name] for name in prepared.rules if name != prepared.start}, internal)
    return Settled(rules, {name: _stand_in(name) for name in rules if name in kept and name not in empty})


def renamed(rules: Mapping[str, Node], names: Mapping[str, str]) -> dict[str, Node]:
    """The rules, with new names for some of them."""
    references = {name: Reference(new) for name, new in names.items()}
    return {names.get(name, name): substitute(node, references) for name, node in rules.items()}


def _stand_in(name: str) -> Literal:
    return Literal(f"{name} ".ljust(LONG + 1))  # too long to be written where the rule is used


def all_of(rules: Mapping[str, Node], names: Iterable[str]) -> Grammar:
    """A grammar that needs each of the rules in more than one place, so that no pass changes what it matches.

    Where one of them is another name for a rule that is not among them, that rule becomes another name for it.
    """
    every = tuple(map(Reference, names))
    result = dict(rules)
    for reference in every:
        body = result[reference.name]
        if isinstance(body, Reference) and body not in every:
            result[reference.name], result[body.name] = result[body.name], reference
    return Grammar({**result, "every rule": seq(*every, *every)}, "every rule")
