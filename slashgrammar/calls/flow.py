"""Small buffers between a text and its deltas: each holds back what may turn out not to belong."""

from __future__ import annotations

_BLANK = " \t\r\n"


class Trimmer:
    """Cuts blank lines before a text, and white space behind it, while the text comes in pieces."""

    def __init__(self) -> None:
        self._held: list[str] = []
        self._started = False

    def feed(self, text: str) -> str:
        """What can be passed on."""
        body = text.rstrip(_BLANK)
        if not body:
            if self._started or "\n" not in text:
                self._held.append(text)
            else:
                self._held = [text[text.rindex("\n") + 1 :]]
            return ""
        before = "".join(self._held)
        if not self._started:
            blank = before + body[: len(body) - len(body.lstrip(_BLANK))]
            indent = blank[blank.rfind("\n") + 1 :]
            passed = indent + body.lstrip(_BLANK)
            self._started = True
        else:
            passed = before + body
        self._held = [text[len(body) :]]
        return passed


class LineHolder:
    """Holds back the line break at the end of a block, which is not part of its value."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """What can be passed on."""
        text = self._held + text
        self._held = "\n" if text.endswith("\n") else ""
        return text.removesuffix("\n")
