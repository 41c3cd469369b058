"""Where a generation ends before its end."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from slashgrammar.errors import ModelError
from slashgrammar.llama.binding import Context


@dataclass(slots=True)
class Limits:
    """Where a generation ends before its end.

    Attributes:
        max_tokens: the budget; None for what the context holds.
        stop: texts that end the message.
        logprobs: how many alternatives to note for each token; None to note nothing.
        must_call: what the calls begin with of which one has to come; with a quarter of the budget gone and no call
            begun, prose is ended. Empty where no call is required.
        reasoning: the delimiters of reasoning, the opening one empty where the prompt ends with it; None without any.
        reasoning_tokens: the budget of reasoning; None for no other than `max_tokens`.
        cancelled: set from any thread, ends the generation before its next token.
    """

    max_tokens: int | None = None
    stop: Sequence[str] = ()
    logprobs: int | None = None
    must_call: tuple[str, ...] = ()
    reasoning: tuple[str, str] | None = None
    reasoning_tokens: int | None = None
    cancelled: threading.Event = field(default_factory=threading.Event)

    def check(self, prompt: Sequence[int], context: Context) -> None:
        """Raises ModelError, with the numbers, where prompt and budget do not fit in the context."""
        budget = 1 if self.max_tokens is None else self.max_tokens
        if len(prompt) + budget > context.size:
            raise ModelError(
                f"the prompt has {len(prompt)} tokens and {budget} may follow, but the context holds {context.size}; "
                "give the model a larger context (n_ctx, or --context), or shorten messages, tools or the budget"
            )
