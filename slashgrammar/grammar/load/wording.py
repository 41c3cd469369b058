"""What Lark's reader of grammars says is wrong, in words that say what to do, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator

_VALUE = "a name, a text in double quotes, a regular expression between slashes, or brackets"
_DEFINITION = 'expected a definition: a name, a colon and what it stands for, as in start: "a" | other'

# By the beginnings of Lark's messages, the longer before the shorter; groups are put in.
_WORDS = {
    r"Incorrect type of value": f"this cannot stand here; expected {_VALUE}",
    r"Unclosed parenthesis": "a bracket is not closed; close it where it should end",
    r"Unmatched closing parenthesis": "no open bracket is closed by this one; leave it out, or open one before it",
    r"Expecting rule or terminal definition": _DEFINITION,
    r"Illegal name": "a name is all in lower case (a rule) or all in capitals (a terminal); rename it",
    r"Alias expects": "expected a name in lower case behind ->; such names concern trees only and can be left out",
    r"Unexpected colon": "a colon cannot stand here; begin each definition on a line of its own",
    r"Misplaced operator": f"there is nothing for this operator to repeat; put it behind {_VALUE}",
    r"Expecting option": 'expected "|" and an alternative, or a new definition',
    r"Terminal names cannot contain dots": "no name may hold a dot; behind one stands a priority, as in A.2: …",
    r"%import expects": "expected what to import, as in %import common.INT or %import .other (rule, TERMINAL)",
    r"%ignore expects": f"expected what to ignore: {_VALUE}",
    r"Expecting a value": f"a value is missing; expected {_VALUE}",
    r"(?i)Unexpected (?:input|token)": "this cannot stand here; texts stand in double quotes, regular expressions "
    "between slashes, and both end in the line in which they begin",
    r"(?:Rule|Terminal) '(\w+)' defined more than once": "{0} is defined twice; rename one, or join them with |",
    r"Cannot override a nonexisting \w+ (\w+)": "%override replaces what is imported, and no {0} is; leave it out",
    r"Can't extend \w+ (\w+) as": "%extend adds to what is defined before, and no {0} is; leave out %extend",
    r"Can't extend \w+ (\w+) -": "{0} is only declared, and cannot be added to; define it without %extend",
    r"Cannot extend \w+ (\w+) -": "a rule cannot be added to a terminal, nor a terminal to a rule, as here to {0}",
    r"Cannot extend \w+ with different parameters: (\w+)": "what is added to {0} needs the parameters that it has",
    r"Names starting with double-underscore are reserved \(Error at (\w+)\)": "the name {0} begins with two "
    "underscores, which only names that Lark makes do; rename it",
    r"Nothing was imported from grammar `(.+)`": "nothing is imported from {0}; name what to import",
    r"Cannot import '(\w+)' from '.*'": "{0} is imported and defined before; import it under another name, with ->",
    r"Inlined rules": "a rule whose name begins with _ cannot have a ? before it; leave one of them out",
    r"Template Parameter conflicts with rule (\w+)": "the parameter {0} has the name of a rule; rename it",
    r"Duplicate Template Parameter (\w+)": "two parameters are called {0}; rename one of them",
}
# What `resolve` says has the name of a terminal in it.
_BLAMED = re.compile(r"as it does in (\w+)|is used in (\w+)|^terminal (\w+) refers")


def in_own_words(message: str, text: str) -> tuple[str, int | None]:
    """A message of Lark's in other words, and the line of the grammar where a name is to blame that it holds."""
    for beginning, words in _WORDS.items():
        if found := re.match(beginning, message):
            names = found.groups()
            lines = list(_definitions(names[0], text)) if names else []
            return words.format(*names), lines[-1] if lines else None
    found = _BLAMED.search(message)
    return message, definition(found[found.lastindex or 0], text) if found else None


def _definitions(name: str, text: str) -> Iterator[int]:
    """The lines in which definitions of a rule or terminal begin, also added ones."""
    head = re.compile(rf"^[ \t]*(?:%override\s+|%extend\s+)?[?!]*{re.escape(name)}\b *(?:\.\d+ *|\{{.*?\}} *)?:", re.M)
    for found in head.finditer(text):
        yield text.count("\n", 0, found.start()) + 1


def definition(name: str, text: str) -> int | None:
    """The line in which a rule or terminal is defined first."""
    return next(_definitions(name, text), None)
