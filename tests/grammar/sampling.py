"""Texts of a grammar, drawn so that every alternative is taken at some time, and texts that are nearly ones."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator

from slashgrammar.grammar.ir import CharClass, Choice, Grammar, Literal, Node, Reference, Repeat, Sequence

_FAR = 10**6
_KINDS = (string.ascii_lowercase, string.ascii_uppercase, string.digits, string.punctuation, " \t\n", "äß日😀é")


class Sampler:
    """Draws members of a language; an alternative that was not taken yet comes first wherever it fits.

    Args:
        grammar: without left recursion, every rule productive, as `prepare` leaves it.
        seed: of the random numbers.
    """

    def __init__(self, grammar: Grammar, seed: int) -> None:
        self._rules = grammar.rules
        self._start = Reference(grammar.start)
        self._random = random.Random(seed)
        self._shortest = _shortest_texts(grammar)
        self._alternatives = {key for node in grammar.rules.values() for key in _alternatives(node)}
        self._taken: set[tuple[Node, int]] = set()
        self._wanted: set[Node] = set()

    def draw(self, max_length: int = 80) -> str:
        """A member, of about `max_length` characters at the most where the language has one so short."""
        return self._draw(self._start, max(max_length, self._length(self._start)))

    def draw_all(self, max_length: int = 80, attempts: int = 3_000) -> list[str]:
        """Members that together take every alternative which fits into the length."""
        texts = []
        for _ in range(attempts):
            missing = self.missing(max_length)
            if not missing:
                break
            self._wanted = self._ways_to(missing)
            texts.append(self.draw(max_length))
        self._wanted = set()
        return texts

    def missing(self, max_length: int) -> set[tuple[Node, int]]:
        """The alternatives that no text has taken, leaving out those that are too long for any."""
        return {
            (node, index)
            for node, index in self._alternatives - self._taken
            if self._length(node.items[index] if isinstance(node, Choice) else node) < max_length // 2
        }

    def _ways_to(self, missing: set[tuple[Node, int]]) -> set[Node]:
        """The nodes from which an alternative can be reached that no text has taken."""
        open_nodes = {node for node, _ in missing}
        wanted: set[Node] = set()
        while True:
            before = len(wanted)
            for name, rule in self._rules.items():
                if _mark(rule, open_nodes, wanted):
                    wanted.add(Reference(name))
            if len(wanted) == before:
                return wanted

    def _length(self, node: Node) -> int:
        return _length(node, self._shortest)

    def _draw(self, node: Node, room: int) -> str:
        if isinstance(node, Literal):
            return node.text
        if isinstance(node, CharClass):
            return self._character(node)
        if isinstance(node, Reference):
            return self._draw(self._rules[node.name], room)
        if isinstance(node, Sequence):
            return self._sequence(node.items, room)
        if isinstance(node, Choice):
            possible = [i for i, item in enumerate(node.items) if self._length(item) <= room]
            index = self._choose(node, possible, wanted=[i for i in possible if node.items[i] in self._wanted])
            return self._draw(node.items[index], room)
        return self._repeat(node, room)

    def _sequence(self, items: tuple[Node, ...], room: int) -> str:
        needed = [self._length(item) for item in items]
        spare = max(room - sum(needed), 0)
        order = list(range(len(items)))
        self._random.shuffle(order)
        texts = [""] * len(items)
        for index in order:
            texts[index] = self._draw(items[index], needed[index] + spare)
            spare -= max(len(texts[index]) - needed[index], 0)
            spare = max(spare, 0)
        return "".join(texts)

    def _repeat(self, node: Repeat, room: int) -> str:
        one = max(self._length(node.item), 1)
        most = max(room // one, node.min)
        if node.max is not None:
            most = min(most, node.max)
        if node.min == 0:
            more = self._choose(node, [0, 1] if most else [0], wanted=[1] if node.item in self._wanted else [])
            if not more:
                return ""
        count = min(most, max(node.min, 1) + int(self._random.expovariate(0.4)))
        return self._sequence((node.item,) * count, room)

    def _choose(self, node: Node, possible: list[int], wanted: list[int]) -> int:
        new = [index for index in possible if (node, index) not in self._taken]
        if self._random.random() < 0.2:
            wanted = []
        index = self._random.choice(new or wanted or possible)
        self._taken.add((node, index))
        return index

    def _character(self, chars: CharClass) -> str:
        if self._random.random() < 0.8:
            common = [char for char in self._random.choice(_KINDS) if char in chars]
            if common:
                return self._random.choice(common)
        low, high = self._random.choice(chars.ranges)
        return chr(self._random.choice([low, high, self._random.randint(low, high)]))


def mutate(text: str, rng: random.Random) -> str:
    """The text with a few small changes; half of them put a character in the place of one of its own kind."""
    for _ in range(rng.choice([1, 1, 2, 3])):
        at = rng.randint(0, len(text))
        end = min(len(text), at + rng.choice([0, 1, 1, 2, 5]))
        kind = next((kind for kind in _KINDS if text[at : at + 1] and text[at] in kind), None)
        change = rng.random()
        if kind and change < 0.5:
            text = text[:at] + rng.choice(kind) + text[at + 1 :]
        elif change < 0.65:
            text = text[:at] + text[at:end] + text[at:]
        elif change < 0.8:
            text = text[:at] + text[end:]
        else:
            text = text[:at] + rng.choice(rng.choice(_KINDS)) + text[at:]
    return text


def _alternatives(node: Node) -> Iterator[tuple[Node, int]]:
    if isinstance(node, Choice):
        yield from ((node, index) for index in range(len(node.items)))
    elif isinstance(node, Repeat) and node.min == 0:
        yield from ((node, 0), (node, 1))
    for child in node.items:
        yield from _alternatives(child)


def _mark(node: Node, open_nodes: set[Node], wanted: set[Node]) -> bool:
    """Enter the node and those below it that lead to an open one; whether this node does."""
    below = [_mark(child, open_nodes, wanted) for child in node.items]
    if any(below) or node in open_nodes or node in wanted:
        wanted.add(node)
        return True
    return False


def _shortest_texts(grammar: Grammar) -> dict[str, int]:
    lengths = dict.fromkeys(grammar.rules, _FAR)
    while True:
        shorter = {name: min(_length(node, lengths), lengths[name]) for name, node in grammar.rules.items()}
        if shorter == lengths:
            return lengths
        lengths = shorter


def _length(node: Node, rules: dict[str, int]) -> int:
    """The length of the shortest text."""
    if isinstance(node, Literal):
        return len(node.text)
    if isinstance(node, CharClass):
        return 1 if node else _FAR
    if isinstance(node, Reference):
        return rules[node.name]
    lengths = [_length(item, rules) for item in node.items]
    if isinstance(node, Repeat):
        return min(node.min * lengths[0], _FAR)
    return min(sum(lengths), _FAR) if isinstance(node, Sequence) else min(lengths)
