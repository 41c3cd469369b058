"""Where Lark's lexers would divide a text into terminals otherwise than the regular reading allows.

A compiled grammar lets each terminal stand for all of its texts. Lark's lexers decide at each place for one terminal
and one length, whatever the rules expect later on, so they refuse some texts that the compiled grammar accepts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from lark.exceptions import LarkError

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.automaton.alphabet import overlay, readable_member
from slashgrammar.grammar.automaton.minimise import DEAD
from slashgrammar.grammar.load.first_match import first_matches
from slashgrammar.grammar.load.follows import following_terminals
from slashgrammar.grammar.load.ignore import next_character_tells
from slashgrammar.grammar.load.storeys import LarkGrammar

_MAX_TERMINALS: Final = 300
_MESSAGES: Final = {
    "keyword": "{0} and {1} both match {example!r}; Lark's lexers take it for {0} (exact_keywords takes it from {1})",
    "overlap": "{0} and {1} both match {example!r}; Lark's lexers take one of them wherever both can stand",
    "ignored": "{0} is ignored and stands in rules; Lark's lexers only ever ignore it",
    "longest": "{0} can stand directly before {1}; of a text like {example!r} Lark's lexers take more for {2}",
    "first": "{0} can be all of {example!r}; Lark takes another part of it, by the first way that matches",
    "surroundings": "{0} asks something of the text around it; the compiled grammar does not",
}


@dataclass(frozen=True, slots=True)
class LexerWarning:
    """A difference between Lark's lexers and the compiled grammar.

    Attributes:
        kind: "keyword", "overlap", "ignored", "longest", "first" or "surroundings".
        terminals: the names of those concerned; of a terminal that stands in a rule, its text there.
        example: a short text with which the difference shows, or "".
    """

    kind: str
    terminals: tuple[str, ...]
    example: str = ""

    def __str__(self) -> str:
        return _MESSAGES[self.kind].format(*self.terminals, example=self.example)


def lexer_warnings(grammar: LarkGrammar) -> list[LexerWarning]:
    """All warnings of a grammar.

    Raises GrammarError for a terminal whose automaton is too large, and for more than 300 terminals.
    """
    if len(grammar.tokens) > _MAX_TERMINALS:
        raise GrammarError(f"more than {_MAX_TERMINALS} terminals cannot be compared with each other")
    follows = _follows(grammar)
    compete = _competition(grammar, follows)
    return [*_single(grammar), *_common_texts(grammar, compete), *_longer_texts(grammar, follows, compete)]


def _follows(grammar: LarkGrammar) -> dict[str, set[str]]:
    """What can follow each terminal directly, and "", the beginning of a text."""
    empty = {name: token.automaton.accepting[0] for name, token in grammar.tokens.items()}
    follows = following_terminals(grammar.rules, grammar.start, empty)
    for name, after in follows.items():
        after.update(grammar.tokens if name in grammar.ignored else grammar.ignored)
    return follows


def _competition(grammar: LarkGrammar, follows: dict[str, set[str]]) -> dict[str, int]:
    """For each terminal a bit mask; two that have a bit in common can stand at one place, so a lexer has to decide."""
    return {
        name: sum(1 << place for place, after in enumerate(follows.values()) if name in after)
        for name in grammar.tokens
    }


def _single(grammar: LarkGrammar) -> Iterator[LexerWarning]:
    for name, token in grammar.tokens.items():
        if token.surroundings is not None and (token.surroundings.before or token.surroundings.after):
            yield LexerWarning("surroundings", (name,))
        if name in grammar.ignored:
            if name in grammar.used:
                yield LexerWarning("ignored", (name,))
            # The compiled grammar takes of them what Lark takes.
            continue
        try:
            taken = first_matches(token.regular_expression)
        except (GrammarError, LarkError):
            # Lark itself would not take it, or it is too large to compare.
            continue
        example = (token.automaton - taken).example
        if example is None and token.surroundings is None:
            # Lark writes `/a|b/ "c"` as `a|bc`.
            example = (taken - token.automaton).example
        if example is not None:
            yield LexerWarning("first", (name,), example)


def _common_texts(grammar: LarkGrammar, compete: dict[str, int]) -> Iterator[LexerWarning]:
    keywords = {name: grammar.keywords(name) for name in grammar.tokens}
    for one, other in combinations(grammar.tokens, 2):
        if not compete[one] & compete[other]:
            continue
        first, second = grammar.tokens[one].automaton, grammar.tokens[other].automaton
        example = (first & second).example
        # The same string in quotes is the same terminal for Lark, wherever it stands.
        if example is None or (first == second and grammar.is_string(one) and grammar.is_string(other)):
            continue
        if one in keywords[other]:
            yield LexerWarning("keyword", (one, other), example)
        elif other in keywords[one]:
            yield LexerWarning("keyword", (other, one), example)
        else:
            yield LexerWarning("overlap", (one, other), example)


def _longer_texts(
    grammar: LarkGrammar, follows: dict[str, set[str]], compete: dict[str, int]
) -> Iterator[LexerWarning]:
    """Texts of a terminal that another one, or the same, would go on with into what follows."""
    tokens, ignored = grammar.tokens, set(grammar.ignored)
    exact = {name for name in ignored if next_character_tells(tokens[name].taken)}
    for name, token in tokens.items():
        for longer, other in tokens.items():
            reached = _states_after(token.automaton, other.automaton) if compete[name] & compete[longer] else {}
            for following in sorted(follows[name]) if reached else ():
                if {name, longer, following} <= ignored or (name == longer and name in exact):
                    continue
                example = _continuation(tokens[following].automaton, other.automaton, reached)
                if example is not None:
                    yield LexerWarning("longest", (name, following, longer), example)
                    break


def _states_after(first: Automaton, longer: Automaton) -> dict[int, str]:
    """The states of one automaton after texts that the other accepts, each with such a text."""
    states: dict[int, str] = {}
    for (one, other), text in _walk(first, longer, {(0, 0): ""}):
        if first.accepting[one]:
            states.setdefault(other, text)
    return states


def _continuation(following: Automaton, longer: Automaton, reached: dict[int, str]) -> str | None:
    """A text that goes on from one of the states, as far as it takes to see that a longer one can be accepted."""
    for (one, other), text in _walk(following, longer, {(0, state): text for state, text in reached.items()}):
        if following.accepting[one] or longer.accepting[other]:
            return text
    return None


def _walk(
    left: Automaton, right: Automaton, starts: dict[tuple[int, int], str]
) -> Iterator[tuple[tuple[int, int], str]]:
    """The pairs of states that a text of at least one character leads to in both automata, with the text."""
    parts = [
        (i, j, readable_member(chars)) for chars, i, j in overlay(left.classes, right.classes) if i >= 0 and j >= 0
    ]
    seen: set[tuple[int, int]] = set()
    queue = deque(starts.items())
    while queue:
        (one, other), text = queue.popleft()
        for i, j, char in parts:
            pair = left.edges[one][i], right.edges[other][j]
            if DEAD not in pair and pair not in seen:
                seen.add(pair)
                yield pair, text + char
                queue.append((pair, text + char))
