"""The formats of strings that JSON Schema names, as regular expressions.

RFC 3339 for dates and durations, RFC 5321 for mail addresses, RFC 1123 for host names, RFC 2673 and 4291 for IP
addresses, RFC 4122 for UUIDs, RFC 3986 for URIs, RFC 6901 for JSON pointers. Where a regular expression would have to
be huge, it takes more than the standard; `Format.wider` says what.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from slashgrammar.grammar.ir import Node
from slashgrammar.grammar.regex import regex_to_ir

_LONG_MONTH = "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
_SHORT_MONTH = "(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
_LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
_DATE = f"(?:[0-9]{{4}}-(?:{_LONG_MONTH}|{_SHORT_MONTH}|02-(?:0[1-9]|1[0-9]|2[0-8]))|{_LEAP_YEAR}-02-29)"

_FRACTION = r"(?:\.[0-9]+)?"
_OFFSET = "(?:[zZ]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"


def _leap_seconds() -> str:
    """The last second of a day in UTC, as clocks show it that are apart by hours, half hours and three quarters."""
    ways = [f"23:59:60{_FRACTION}[zZ]"]
    for hours in range(24):
        for minutes in (0, 30, 45):
            for sign in (1, -1):
                clock = (23 * 60 + 59 + sign * (hours * 60 + minutes)) % (24 * 60)
                offset = f"[{'+' if sign > 0 else '-'}]{hours:02}:{minutes:02}"
                ways.append(f"{clock // 60:02}:{clock % 60:02}:60{_FRACTION}{offset}")
    return "|".join(ways)


_TIME = f"(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]{_FRACTION}{_OFFSET}|{_leap_seconds()})"

_DAYS = "[0-9]+D"
_MONTHS = f"[0-9]+M(?:{_DAYS})?"
_YEARS = f"[0-9]+Y(?:{_MONTHS})?"
_SECONDS = "[0-9]+S"
_MINUTES = f"[0-9]+M(?:{_SECONDS})?"
_CLOCK = f"T(?:[0-9]+H(?:{_MINUTES})?|{_MINUTES}|{_SECONDS})"
_DURATION = f"P(?:(?:{_DAYS}|{_MONTHS}|{_YEARS})(?:{_CLOCK})?|{_CLOCK}|[0-9]+W)"

_BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = rf"{_BYTE}(?:\.{_BYTE}){{3}}"
_H16 = "[0-9a-fA-F]{1,4}"
_LS32 = f"(?:{_H16}:{_H16}|{_IPV4})"


def _ipv6() -> str:
    ways = [f"(?:{_H16}:){{6}}{_LS32}", f"::(?:{_H16}:){{5}}{_LS32}"]
    for after in range(5):
        ways.append(f"(?:(?:{_H16}:){{0,{4 - after}}}{_H16})?::(?:{_H16}:){{{after}}}{_LS32}")
    ways += [f"(?:(?:{_H16}:){{0,5}}{_H16})?::{_H16}", f"(?:(?:{_H16}:){{0,6}}{_H16})?::"]
    return f"(?:{'|'.join(ways)})"


_IPV6 = _ipv6()
_HEX = "[0-9a-fA-F]"
_UUID = f"{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}"

# A label of a host name has no hyphens in third and fourth place, unless it says by "xn" that it is encoded.
_A, _X = "[0-9a-zA-Z]", "[0-9a-zA-Z-]"
_LABEL = f"(?:{_A}(?:{_X}?{_A}|{_X}(?:{_A}{_A}|-{_A}|(?:{_A}{_X}|-{_A}){_X}{{0,58}}{_A}))?|[xX][nN]--{_X}{{0,58}}{_A})"
_HOSTNAME = rf"{_LABEL}(?:\.{_LABEL})*"

_ATEXT = "[0-9A-Za-z!#$%&'*+/=?^_`{|}~-]+"
_QUOTED = r'"(?:[\t !#-\[\]-~]|\\[!-~])*"'
_EMAIL = rf"(?:{_ATEXT}(?:\.{_ATEXT})*|{_QUOTED})@(?:{_HOSTNAME}|\[{_IPV4}\]|\[IPv6:{_IPV6}\])"

_UNRESERVED = "-0-9A-Za-z._~"
_SUB = "!$&'()*+,;="
_ENCODED = f"%{_HEX}{{2}}"
_PCHAR = f"(?:[{_UNRESERVED}{_SUB}:@]|{_ENCODED})"
_SEGMENTS = f"(?:/{_PCHAR}*)*"
_FUTURE = rf"v{_HEX}+\.[{_UNRESERVED}{_SUB}:]+"
_USER = f"(?:(?:[{_UNRESERVED}{_SUB}:]|{_ENCODED})*@)?"
_NAME = f"(?:[{_UNRESERVED}{_SUB}]|{_ENCODED})*"
_AUTHORITY = rf"{_USER}(?:\[(?:{_IPV6}|{_FUTURE})\]|{_NAME})(?::[0-9]*)?"
_ABSOLUTE = f"/(?:{_PCHAR}+{_SEGMENTS})?"
_TAIL = rf"(?:\?(?:{_PCHAR}|[/?])*)?(?:#(?:{_PCHAR}|[/?])*)?"
_URI = f"[A-Za-z][0-9A-Za-z+.-]*:(?://{_AUTHORITY}{_SEGMENTS}|{_ABSOLUTE}|{_PCHAR}+{_SEGMENTS}|){_TAIL}"
_NO_COLON = f"(?:[{_UNRESERVED}{_SUB}@]|{_ENCODED})+"
_RELATIVE = f"(?://{_AUTHORITY}{_SEGMENTS}|{_ABSOLUTE}|{_NO_COLON}{_SEGMENTS}|){_TAIL}"

_POINTER = r"(?:/(?:[^~/]|~[01])*)*"


@dataclass(frozen=True, slots=True)
class Format:
    """A format: what it takes, and how that is wider than the standard, or ""."""

    node: Node
    wider: str = ""


_HOST_REMARK = "the length of the whole and the decoding of xn-- are not checked"
_SPOKEN: dict[str, tuple[str, str]] = {
    "date": (_DATE, ""),
    "time": (_TIME, ""),
    "date-time": (f"{_DATE}[tT]{_TIME}", ""),
    "duration": (_DURATION, ""),
    "email": (_EMAIL, f"the length of the part before @ is not checked; behind it, {_HOST_REMARK}"),
    "hostname": (_HOSTNAME, _HOST_REMARK),
    "ipv4": (_IPV4, ""),
    "ipv6": (_IPV6, ""),
    "uuid": (_UUID, ""),
    "uri": (_URI, ""),
    "uri-reference": (f"(?:{_URI}|{_RELATIVE})", ""),
    "json-pointer": (_POINTER, ""),
    "relative-json-pointer": (f"(?:0|[1-9][0-9]*)(?:#|{_POINTER})", ""),
}
UNSPOKEN = frozenset(("idn-email", "idn-hostname", "iri", "iri-reference", "regex", "uri-template"))
"""Formats that are checked afterwards only. Formats that are neither here nor spoken say nothing."""


def is_checked(name: str) -> bool:
    """Whether validation checks that format; others say nothing."""
    return name in _SPOKEN or name in UNSPOKEN


@lru_cache(maxsize=32)
def format_of(name: str) -> Format | None:
    """The format of that name, or None where a grammar does not say it."""
    if name not in _SPOKEN:
        return None
    pattern, wider = _SPOKEN[name]
    return Format(regex_to_ir(pattern, re.ASCII), wider)
