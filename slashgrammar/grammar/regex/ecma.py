"""Regular expressions of ECMA-262, JSON Schema's `pattern`, as IR nodes.

Read as with the flag `u`, as JSON Schema recommends: characters are code points, `\\d` and `\\w` are ASCII, there is no
case folding. As browsers do without that flag, a brace or bracket that opens nothing stands for itself, and so does
any escaped character that is no letter or digit. `\\p{…}` knows general categories, not scripts.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.automaton.rules import to_node
from slashgrammar.grammar.ir import ANY_CHAR, CharClass, Node, alt, char_class, character, chars, repeat, seq
from slashgrammar.grammar.regex.lookaround import pattern_automaton
from slashgrammar.grammar.regex.neighbours import searched
from slashgrammar.grammar.regex.pattern import Pattern, PatternBuilder
from slashgrammar.grammar.regex.unicode_classes import category, shorthand

_MAX_DEPTH: Final = 100
_LINE_ENDS = chars("\n\r\u2028\u2029")
_CONTROLS: Final = {"t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_QUANTIFIER = re.compile(r"(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??")
_CODE = re.compile(r"x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]+)\}|u(d[89ab]..)\\u(d[c-f]..)|u([0-9a-fA-F]{4})", re.IGNORECASE)
_PROPERTY = re.compile(r"\{(?:(?:General_Category|gc)=)?(\w+)\}")
_CATEGORIES: Final = {
    "Letter": "L",
    "Cased_Letter": "LC",
    "Uppercase_Letter": "Lu",
    "Lowercase_Letter": "Ll",
    "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm",
    "Other_Letter": "Lo",
    "Mark": "M",
    "Nonspacing_Mark": "Mn",
    "Spacing_Mark": "Mc",
    "Enclosing_Mark": "Me",
    "Number": "N",
    "Decimal_Number": "Nd",
    "Letter_Number": "Nl",
    "Other_Number": "No",
    "Punctuation": "P",
    "Connector_Punctuation": "Pc",
    "Dash_Punctuation": "Pd",
    "Open_Punctuation": "Ps",
    "Close_Punctuation": "Pe",
    "Initial_Punctuation": "Pi",
    "Final_Punctuation": "Pf",
    "Other_Punctuation": "Po",
    "Symbol": "S",
    "Math_Symbol": "Sm",
    "Currency_Symbol": "Sc",
    "Modifier_Symbol": "Sk",
    "Other_Symbol": "So",
    "Separator": "Z",
    "Space_Separator": "Zs",
    "Line_Separator": "Zl",
    "Paragraph_Separator": "Zp",
    "Control": "Cc",
    "Format": "Cf",
    "Private_Use": "Co",
}


def ecma_to_ir(pattern: str) -> Node:
    """The texts in which the pattern matches somewhere, as one node without references.

    Raises:
        GrammarError: the pattern is not valid, uses a back reference or something unknown, or is too large for an
            automaton; a caller may take any text instead and check it afterwards.
    """
    found = parse_ecma(pattern)
    return to_node(pattern_automaton(found)) if found.looks else found.node


@lru_cache(maxsize=128)
def parse_ecma(pattern: str) -> Pattern:
    """The same texts, with the conditions that their neighbours do not decide still in place."""
    return searched(_Parser(pattern).parse())


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._depth = 0
        self._builder = PatternBuilder()

    def parse(self) -> Pattern:
        node = self._disjunction()
        if self._place < len(self._text):
            raise self._error("a closing parenthesis without an opening one")
        return Pattern(node, self._builder.looks)

    def _disjunction(self) -> Node:
        ways = [self._alternative()]
        while self._take("|"):
            ways.append(self._alternative())
        return alt(*ways)

    def _alternative(self) -> Node:
        terms: list[Node] = []
        while self._place < len(self._text) and self._text[self._place] not in "|)":
            terms.append(self._quantified(self._term()))
        return seq(*terms)

    def _quantified(self, item: Node) -> Node:
        found = _QUANTIFIER.match(self._text, self._place)
        if found is None:
            return item
        self._place = found.end()
        sign, low, comma, high = found.groups()
        if sign is not None:
            return repeat(item, int(sign == "+"), 1 if sign == "?" else None)
        least = int(low)
        most = least if comma is None else int(high) if high else None
        if most is not None and most < least:
            raise self._error("a repetition with its bounds in the wrong order")
        return repeat(item, least, most)

    def _term(self) -> Node:
        if _QUANTIFIER.match(self._text, self._place):
            raise self._error("a repetition of nothing")
        char = self._next()
        match char:
            case "^":
                return self._builder.text_start()
            case "$":
                return self._builder.text_end()
            case "(":
                return self._group()
            case ".":
                return ANY_CHAR - _LINE_ENDS
            case "[":
                return self._set()
            case "\\":
                return self._escape()
        return character(chars(char))

    def _group(self) -> Node:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._error(f"more than {_MAX_DEPTH} groups inside each other")
        look = next((sign for sign in ("?=", "?!", "?<=", "?<!") if self._take(sign)), None)
        if look is None and self._take("?") and not (self._take(":") or self._take_pattern(r"<[^\W\d][\w$]*>")):
            raise self._error("a kind of group that ECMA-262 does not have")
        node = self._disjunction()
        if not self._take(")"):
            raise self._error("a group that is not closed")
        self._depth -= 1
        return node if look is None else self._builder.look(node, behind="<" in look, negative="!" in look)

    def _escape(self) -> Node:
        char = self._next()
        if char in "bB":
            return self._builder.word_boundary(shorthand("w", ascii_only=True), negative=char == "B")
        if char == "k" or char in "123456789":
            raise self._error("a back reference, which is not regular")
        return character(self._class_escape(char))

    def _class_escape(self, char: str) -> CharClass:
        """What an escape means in a set and outside of it, by the character behind the backslash, which was read."""
        if char in "dDwWsS":
            result = shorthand(char.lower(), ascii_only=True)
            if char in "sS":
                result |= category("Zs") | chars("\ufeff\u2028\u2029")
            return ~result if char.isupper() else result
        if char in "pP":
            result = self._property()
            return ~result if char == "P" else result
        if char in _CONTROLS:
            return chars(_CONTROLS[char])
        if char == "c" and (letter := self._take_pattern("[A-Za-z]")):
            return chars(chr(ord(letter) % 32))
        if char == "0" and not self._take_pattern("[0-9]"):
            return chars("\0")
        if char in "xu":
            return self._code()
        if char.isascii() and char.isalnum():
            raise self._error(f"\\{char}, which means nothing in ECMA-262")
        return chars(char)

    def _code(self) -> CharClass:
        self._place -= 1
        found = _CODE.match(self._text, self._place)
        if found is None:
            raise self._error("an escape that does not have the hexadecimal digits it needs")
        self._place = found.end()
        byte, point, high, low, unit = found.groups()
        if high is not None:
            code = ord(bytes.fromhex(high + low).decode("utf-16-be"))
        else:
            code = int(byte or point or unit, 16)
        if code > 0x10FFFF:
            raise self._error("a code point above U+10FFFF")
        return char_class([(code, code)])

    def _property(self) -> CharClass:
        found = _PROPERTY.match(self._text, self._place)
        name = found[1] if found is not None else ""
        if found is not None:
            self._place = found.end()
        if name == "Any":
            return ANY_CHAR
        if name == "ASCII":
            return char_class([(0, 127)])
        name = _CATEGORIES.get(name, name)
        if name == "LC":
            return category("Lu") | category("Ll") | category("Lt")
        if name not in _CATEGORIES.values():
            raise self._error("a Unicode property other than a general category")
        return category(name)

    def _set(self) -> Node:
        negated = self._take("^")
        result = CharClass(())
        while not self._take("]"):
            low = self._member()
            if self._text.startswith("-", self._place) and not self._text.startswith("-]", self._place):
                self._place += 1
                high = self._member()
                if len(low) == len(high) == 1:
                    if low.ranges > high.ranges:
                        raise self._error("a range with its bounds in the wrong order")
                    low = char_class([(low.ranges[0][0], high.ranges[0][0])])
                else:
                    low |= high | chars("-")
            result |= low
        return character(~result if negated else result)

    def _member(self) -> CharClass:
        char = self._next()
        if char != "\\":
            return chars(char)
        char = self._next()
        return chars("\b") if char == "b" else self._class_escape(char)

    def _next(self) -> str:
        if self._place == len(self._text):
            raise self._error("an end where something is missing")
        self._place += 1
        return self._text[self._place - 1]

    def _take(self, text: str) -> bool:
        taken = self._text.startswith(text, self._place)
        self._place += len(text) if taken else 0
        return taken

    def _take_pattern(self, pattern: str) -> str:
        found = re.compile(pattern).match(self._text, self._place)
        if found is None:
            return ""
        self._place = found.end()
        return found[0]

    def _error(self, problem: str) -> GrammarError:
        return GrammarError(f"not a regular expression that can be used: {problem}, at position {self._place}")
