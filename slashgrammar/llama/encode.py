"""From a rendered prompt to tokens, so that control tokens are those of the chat template and nothing else.

A tokenizer that reads control tokens reads them in user text too. So each place in a content where the name of a
control token stands is marked behind its first character, the template is rendered, and the prompt is cut at the marks:
no piece holds such a name any longer, and each is tokenised as the model expects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from slashgrammar.errors import ModelError
from slashgrammar.llama.binding import Vocabulary


class ControlNames:
    """The names of a vocabulary's control tokens, and where they stand in a text."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._lengths = sorted({len(name) for name in self._names})
        self._firsts = frozenset(name[0] for name in self._names)
        self._heads = frozenset(name[:end] for name in self._names for end in range(1, len(name)))
        self._tails = frozenset(name[start:] for name in self._names for start in range(1, len(name)))

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Start and end of every occurrence, overlapping ones too."""
        for start, char in enumerate(text):
            if char in self._firsts:
                for length in self._lengths:
                    if text[start : start + length] in self._names and start + length <= len(text):
                        yield start, start + length

    def may_join(self, text: str) -> bool:
        """Whether the text, between others, could become a part of a name."""
        longest = self._lengths[-1] if self._lengths else 0
        if any(text[:size] in self._tails or text[-size:] in self._heads for size in range(1, longest)):
            return True
        return len(text) < longest and any(text in name for name in self._names)


class Encoder:
    """Marks contents, and cuts the rendered prompt at the marks.

    Args:
        vocabulary: of the model.
        contents: every text that will be marked; the marks are characters that none of them has.
    """

    def __init__(self, vocabulary: Vocabulary, contents: Iterable[str]) -> None:
        self._vocabulary = vocabulary
        self._names = names_of(vocabulary)
        used = frozenset(chain.from_iterable(contents))
        free = (char for char in map(chr, _PRIVATE_USE) if char not in used)
        try:
            self._cut, self._edge = next(free), next(free)
        except StopIteration:
            raise ModelError("the messages use every private-use character: none is left for marks") from None

    def mark(self, content: str, meant: frozenset[str] = frozenset()) -> str:
        """The content with its marks; none in names that are meant to be control tokens there."""
        spans = self._names.spans(content)
        places = sorted({start + 1 for start, end in spans if content[start:end] not in meant})
        inner = content.strip()
        edges: tuple[int, ...] = ()
        if inner and self._names.may_join(inner):
            begin = content.index(inner)
            edges = (begin, begin + len(inner))
        marks = sorted([(place, self._cut) for place in places] + [(place, self._edge) for place in edges])
        parts, last = [], 0
        for place, mark in marks:
            parts += [content[last:place], mark]
            last = place
        return "".join([*parts, content[last:]])

    def tokens(self, prompt: str) -> list[int]:
        """The tokens of a prompt that was rendered from marked contents."""
        plain: list[str] = []
        cuts, edges, place = set(), set(), 0
        for char in prompt:
            if char == self._cut:
                cuts.add(place)
            elif char == self._edge:
                edges.add(place)
            else:
                plain.append(char)
                place += 1
        text = "".join(plain)
        if edges:
            cuts |= {edge for start, end in self._names.spans(text) for edge in edges if start < edge < end}
        bounds = [0, *sorted(cuts), len(text)]
        pieces = [text[start:end] for start, end in pairwise(bounds)]
        return list(chain.from_iterable(self._vocabulary.tokenize(piece, special=True) for piece in pieces))


_PRIVATE_USE = (*range(0xE000, 0xF900), *range(0xF0000, 0xFFFFE), *range(0x100000, 0x10FFFE))


def names_of(vocabulary: Vocabulary) -> ControlNames:
    """The control names of a vocabulary, prepared once."""
    return ControlNames(vocabulary.control_names)
