"""Values that a parameter's description mentions: "such as 'Paris'", "either 'up' or 'down'", "format: MM/DD/YYYY"."""

from __future__ import annotations

import re

_QUOTED = r"""(?:'([^'\n]{1,80})'|"([^"\n]{1,80})"|`([^`\n]{1,80})`)"""
_IN_WORD = r"(?:[^\s,;.()'\"`]|\.(?=\w))"
_PLAIN = rf"((?=[A-Z0-9]){_IN_WORD}+(?: {_IN_WORD}+){{0,2}}?)(?=[,;)]|\.?\s*$|\.\s| or | and )"
_EXAMPLE = re.compile(rf"(?:\b[Ee]\.g\.,?|\b[Ss]uch as|\b[Ff]or (?:example|instance),?):?\s+(?:{_QUOTED}|{_PLAIN})")
_CHOICE = re.compile(
    rf"\b(?:[Ee]xamples?:|like|[Cc]an be|[Oo]ne of|[Ee]ither|[Oo]ptions(?: are)?:?)[^\w'\"`]{{0,6}}{_QUOTED}"
)
_FIELD = r"(?:YYYY|MM|DD|HH|SS)"
_DATE = re.compile(rf"\b{_FIELD}(?:[-/:. T]{_FIELD}){{1,5}}Z?\b", re.IGNORECASE)
_FIELDS = {"YYYY": "2026", "MM": "05", "DD": "17", "HH": "09", "SS": "00"}


def mentioned(description: object) -> str | None:
    """The first value that a description gives as an example; None where it gives none, or is no text."""
    if not isinstance(description, str):
        return None
    if found := _EXAMPLE.search(description) or _CHOICE.search(description):
        value = next(group for group in found.groups() if group)
        return _DATE.sub(_dated, value)
    date = _DATE.search(description)
    return _dated(date) if date else None


def _dated(pattern: re.Match[str]) -> str:
    """A date or a time in the place of its pattern, in which MM behind the hour means minutes."""
    text = re.sub("(?<=HH)(.)MM", r"\g<1>30", pattern[0].upper())
    return re.sub(_FIELD, lambda field: _FIELDS[field[0]], text)
