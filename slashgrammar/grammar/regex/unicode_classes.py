"""Character classes as the running Python's `re` sees them: `\\d`, `\\s`, `\\w`, and letters of either case.

They follow the Unicode version of the interpreter, so they are computed when first asked for and not written down.
"""

from __future__ import annotations

import importlib
import re
import sys
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from itertools import groupby

from slashgrammar.grammar.ir import CharClass, Range, char_class

# No letter, digit, white space or cased character is assigned in the planes above; the tests check this.
_ASSIGNED_PLANES = 0x40000
_ASCII = {
    "d": CharClass(((48, 57),)),
    "s": CharClass(((9, 13), (32, 32))),
    "w": char_class([(48, 57), (65, 90), (95, 95), (97, 122)]),
}


def shorthand(letter: str, *, ascii_only: bool = False) -> CharClass:
    """What `\\d`, `\\s` or `\\w` matches in a pattern for text; `letter` is one of "d", "s" and "w"."""
    return _ASCII[letter] if ascii_only else _unicode_shorthand(letter)


@cache
def _unicode_shorthand(letter: str) -> CharClass:
    return char_class((found.start(), found.end() - 1) for found in re.finditer(rf"\{letter}+", _every_character()))


@cache
def category(name: str) -> CharClass:
    """All code points of a general category of Unicode, by its short name: "Lu", or "L" for all letters.

    Raises KeyError for a name that is no category.
    """
    classes = _categories()
    ranges = [range_ for key, ranges in classes.items() if key.startswith(name) for range_ in ranges]
    if not ranges:
        raise KeyError(name)
    return char_class(ranges)


@cache
def _categories() -> dict[str, list[Range]]:
    classes: defaultdict[str, list[Range]] = defaultdict(list)
    start = 0
    for key, run in groupby(map(unicodedata.category, map(chr, range(sys.maxunicode + 1)))):
        end = start + sum(1 for _ in run)
        classes[key].append((start, end - 1))
        start = end
    return classes


def _every_character() -> str:
    return array("I", range(_ASSIGNED_PLANES)).tobytes().decode(f"utf-32-{sys.byteorder[0]}e", "surrogatepass")


def ignore_case(chars: CharClass, *, ascii_only: bool = False) -> CharClass:
    """The characters that a class matches under `re.IGNORECASE`."""
    if ascii_only:
        upper, lower = chars & CharClass(((65, 90),)), chars & CharClass(((97, 122),))
        moved = [(low + 32, high + 32) for low, high in upper.ranges] + [
            (low - 32, high - 32) for low, high in lower.ranges
        ]
        return char_class((*chars.ranges, *moved))
    variants, cased = _case_variants()
    added = [
        (variant, variant)
        for low, high in chars.ranges
        for code in cased[bisect_left(cased, low) : bisect_right(cased, high)]
        for variant in variants[code]
    ]
    return char_class((*chars.ranges, *added))


@cache
def _case_variants() -> tuple[dict[int, list[int]], list[int]]:
    """For every cased code point all that `re` takes for the same letter, and these code points in order.

    `re` compares lower-case letters, and takes a few different ones with the same upper case for equal.
    """
    tolower, equal = _case_tables()
    same_lower: defaultdict[int, list[int]] = defaultdict(list)
    for code in range(_ASSIGNED_PLANES // 2):
        lower = tolower(code)
        if lower != code or code in equal:
            same_lower[lower].append(code)
    variants: dict[int, list[int]] = {}
    for lower, codes in list(same_lower.items()):
        group = [lower, *codes]
        for other in equal.get(lower, ()):
            group += (other, *same_lower.get(other, ()))
        for code in {lower, *codes}:
            variants[code] = group
    return variants, sorted(variants)


def _case_tables() -> tuple[Callable[[int], int], dict[int, tuple[int, ...]]]:
    tolower = importlib.import_module("_sre").unicode_tolower
    if sys.version_info >= (3, 11):
        return tolower, importlib.import_module("re._casefix")._EXTRA_CASES
    return tolower, importlib.import_module("sre_compile")._ignorecase_fixes
