"""Sets of strings and numbers as JSON text, in rules whose names tell the set: the same in every tool, and made once.

The names begin with a colon, and equal names mean equal rules. The rules are prepared already, refer to no others, and
what is referred to from elsewhere matches no empty text: so whole tools are prepared without a look at them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from slashgrammar.grammar.ir import EMPTY, NOTHING, Grammar, Node, Reference, seq
from slashgrammar.grammar.rewrite import Settled, prepare
from slashgrammar.grammar.rewrite.settled import renamed
from slashgrammar.grammar.schema.conditions import Remark
from slashgrammar.grammar.schema.language import language_of
from slashgrammar.grammar.schema.spelling import QUOTE, Speller, digest
from slashgrammar.grammar.schema.strings import Strings

_MARK = ":"


@dataclass(frozen=True, slots=True)
class Text:
    """A node with the rules that it refers to, which all match some text, and where it is wider than it should be."""

    node: Node
    rules: Mapping[str, Node]
    remarks: tuple[Remark, ...] = ()


def texts_among(rules: Mapping[str, Node]) -> dict[str, Node]:
    """Those of the rules of tools that are texts."""
    return {name: node for name, node in rules.items() if name.startswith(_MARK)}


def prepared_text(grammar: Grammar, remarks: tuple[Remark, ...] = (), texts: Mapping[str, Node] | None = None) -> Text:
    """A grammar without the empty text as a text; its start rule has a name as in the module's docstring.

    Args:
        texts: rules of other texts that it refers to.
    """
    start = grammar.start
    texts = texts or {}
    rules = prepare(grammar, Settled({}, {}).extended(texts)).rules
    if rules[start] == NOTHING:
        return Text(NOTHING, {}, remarks)
    inner = [name for name in rules if name != start and name not in texts]
    names = {name: f"{start}-{number}" for number, name in enumerate(inner, 1)}
    return Text(Reference(start), renamed(rules, names), remarks)


@lru_cache(maxsize=256)
def text_of(strings: Strings, *, once: bool = False, quotes: bool = True) -> Text:
    """A set of strings, with or without quotes; with `once`, as keys, in which each character has one spelling.

    Without quotes the empty string must not be one of them.
    """
    language = language_of(strings)
    kind = ("key" if once else "text") if quotes else "word"
    start = f"{_MARK}{kind}-{digest(strings.identity)}"
    classes: dict[str, Node] = {}
    names = {name: f"inner-{name}" for name in language.grammar.rules}
    speller = Speller(classes, names, once=once)
    rules = {names[name]: speller.spell(node) for name, node in language.grammar.rules.items()}
    quote = QUOTE if quotes else EMPTY
    rules[start] = seq(quote, Reference(names[language.grammar.start]), quote)
    return prepared_text(Grammar({**rules, **classes}, start), language.remarks, classes)
