"""What an unknown name was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

_LONGEST = 100
_CUTOFF = 0.6


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like `name`, case aside, or None where none is like it (difflib's ratio below 0.6).

    Only the first 100 characters count: the comparison takes quadratic time.
    """
    matcher: SequenceMatcher[str] = SequenceMatcher(autojunk=False)
    matcher.set_seq2(name[:_LONGEST].casefold())
    best, best_ratio = None, _CUTOFF
    for candidate in known:
        matcher.set_seq1(candidate[:_LONGEST].casefold())
        if min(matcher.real_quick_ratio(), matcher.quick_ratio()) > best_ratio and matcher.ratio() > best_ratio:
            best, best_ratio = candidate, matcher.ratio()
    return best
