"""Sets of strings as JSON text, in rules whose names tell the set: the same in every tool, and made once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from slashgrammar.grammar.ir import NOTHING, Node, Reference, seq
from slashgrammar.grammar.schema.language import Remark, language_of
from slashgrammar.grammar.schema.spelling import QUOTE, Speller, digest
from slashgrammar.grammar.schema.strings import Strings


@dataclass(frozen=True, slots=True)
class Text:
    """A node with the rules that it refers to, which all match some text, and where it is wider than it should be."""

    node: Node
    rules: dict[str, Node]
    remarks: tuple[Remark, ...] = ()


@lru_cache(maxsize=256)
def text_of(strings: Strings, *, once: bool = False, quotes: bool = True) -> Text:
    """A set of strings, with or without quotes; with `once`, as keys, in which each character has one spelling.

    The names of the rules begin with a colon, and equal names mean equal rules.
    """
    language = language_of(strings)
    start = f":{'key' if once else 'text'}-{digest(strings.identity)}"
    content = language.grammar
    names = {name: f"{start}-{number}" for number, name in enumerate(content.rules)} | {content.start: start}
    rules: dict[str, Node] = {}
    speller = Speller(rules, names, once=once)
    for name, node in content.rules.items():
        rules[names[name]] = speller.spell(node)
    if rules[start] == NOTHING:
        return Text(NOTHING, {}, language.remarks)
    text = seq(QUOTE, Reference(start), QUOTE) if quotes else Reference(start)
    return Text(text, rules, language.remarks)
