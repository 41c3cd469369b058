"""The one module that touches llama-cpp-python: its bindings are untyped, and what they forbid ends the process.

llama.cpp aborts on a grammar sampler that is null, on accepting a token that the grammar refuses, on a model that was
closed. Each is checked here first and raised as a Python exception.
"""

from __future__ import annotations

import ctypes
import re
import weakref
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from llama_cpp import llama_cpp as lib
from llama_cpp.llama_chat_format import Jinja2ChatFormatter, LlamaChatCompletionHandlerRegistry
from llama_cpp.llama_grammar import LlamaGrammar
from numpy.typing import NDArray

from slashgrammar.errors import GrammarError, ModelError
from slashgrammar.llama.utf8 import unfinished

Ids = NDArray[np.int32]
Logits = NDArray[np.float32]
Mask = NDArray[np.bool_]

NO_BYTE: Final = 256  # the entry of `first_bytes` for tokens that have no text
_CANDIDATE = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)], align=True)
_CONTROL = lib.LLAMA_TOKEN_ATTR_CONTROL | lib.LLAMA_TOKEN_ATTR_UNKNOWN | lib.LLAMA_TOKEN_ATTR_UNUSED
# User-defined tokens are text, except those written as control tokens are: <|name|>, <two_words>, [NAME].
_CONTROL_LIKE = re.compile(r"<[|｜].*[|｜]>|</?\w+_\w+>|\[/?[A-Z_]+\]")


class Vocabulary:
    """What a model's tokens are as text.

    Attributes:
        size: the number of tokens.
        pieces: the bytes of each token; those of a control token are its name.
        ends: tokens that end generation.
        control: tokens that stand for no text: special by kind, or user-defined and written as specials are.
        unfit: tokens that no grammar may see as text: control tokens, tokens without text or with a NUL, at which
            llama.cpp stops to read.
        ragged: tokens whose bytes are no whole UTF-8 characters.
        first_bytes: the first byte of each token, NO_BYTE where there is none or the token ends generation.
        longest_piece: the most bytes that a token has.
        byte_ids: for each first byte the token that is this byte alone, or -1.
    """

    def __init__(self, llm: Any) -> None:
        handle = _open_model(llm).vocab
        self._llm = weakref.ref(llm)
        self.size: int = lib.llama_vocab_n_tokens(handle)
        self.pieces = [_piece(handle, token) for token in range(self.size)]
        kinds = np.array([lib.llama_vocab_get_attr(handle, token) for token in range(self.size)], np.int32)
        self.ends: Mask = np.array([lib.llama_vocab_is_eog(handle, token) for token in range(self.size)], np.bool_)
        self.control: Mask = (kinds & _CONTROL) != 0
        for token in np.flatnonzero(kinds & lib.LLAMA_TOKEN_ATTR_USER_DEFINED).tolist():
            name = self.pieces[token].decode("utf-8", "replace")
            self.control[token] = _CONTROL_LIKE.fullmatch(name) is not None
        self.unfit: Mask = self.control | np.array([not piece or 0 in piece for piece in self.pieces], np.bool_)
        self.unfit &= ~self.ends
        self.ragged: Mask = np.array([unfinished(piece) != b"" for piece in self.pieces], np.bool_)
        self.first_bytes = np.array([piece[0] if piece else NO_BYTE for piece in self.pieces], np.int16)
        self.first_bytes[self.ends | self.unfit] = NO_BYTE
        self.byte_ids: Ids = np.full(256, -1, np.int32)
        for token, piece in enumerate(self.pieces):
            if len(piece) == 1 and not self.unfit[token] and not self.ends[token]:
                self.byte_ids[piece[0]] = token
        self.longest_piece = max(map(len, self.pieces))
        self._adds_space = b"".join(self.pieces[token] for token in self.tokenize("a")) == b" a"
        special = np.flatnonzero(self.control | self.ends)
        self.control_names = sorted({self.pieces[token].decode("utf-8", "replace") for token in special} - {""})

    def tokenize(self, text: str, *, start: bool = False, special: bool = False) -> list[int]:
        """The tokens of a text.

        Args:
            start: whether the text opens the context, so that a model that wants a start token gets it.
            special: whether control tokens in the text are read as such.
        """
        llm: Any = self._llm()
        ids: list[int] = llm.tokenize(text.encode("utf-8"), add_bos=start, special=special)
        return ids

    def ids_of(self, names: Iterable[str]) -> dict[str, int]:
        """The control tokens of these names, as far as there are any."""
        return {name: self._control_ids[name] for name in names if name in self._control_ids}

    def continuation(self, before: str, text: str, named: Mapping[str, int] = MappingProxyType({})) -> list[int]:
        """The tokens of a text that stands behind another; what stands before keeps its own tokens.

        Args:
            named: control tokens that are meant where their names stand in the text.
        """
        for name, token in named.items():
            head, found, tail = text.partition(name)
            if found:
                return [*self.continuation(before, head, named), token, *self.continuation("", tail, named)]
        if not text:
            return []
        if not before and self._adds_space:
            before = "\n"  # SentencePiece models put a space before the first word of a text
        known, both = self.tokenize(before), self.tokenize(before + text)
        return both[len(known) :] if both[: len(known)] == known else self.tokenize(text)

    @cached_property
    def _control_ids(self) -> dict[str, int]:
        ids = np.flatnonzero(self.control).tolist()
        return {self.pieces[token].decode("utf-8", "replace"): token for token in ids}

    @cached_property
    def _sorted(self) -> list[int]:
        """All tokens that stand for a text, in the order of their texts."""
        return sorted(np.flatnonzero(~(self.unfit | self.ends)).tolist(), key=self.pieces.__getitem__)

    @cached_property
    def sorted_pieces(self) -> list[bytes]:
        """The texts of all tokens that stand for one."""
        return [self.pieces[token] for token in self._sorted]

    def beginning(self, text: bytes, named: Mapping[str, int] = MappingProxyType({})) -> Ids:
        """The tokens that a text may begin with, in ascending order.

        Args:
            named: control tokens that are meant where their names stand in the text.
        """
        found = [token for name, token in named.items() if text.startswith(name.encode("utf-8"))]
        pieces, low, high = self.sorted_pieces, 0, len(self.sorted_pieces)
        for size in range(1, len(text) + 1):
            start = text[:size]
            low = bisect_left(pieces, start, low, high)
            end = bisect_right(pieces, start, low, high)
            found += self._sorted[low:end]
            low, high = end, bisect_left(pieces, True, end, high, key=lambda piece: not piece.startswith(start))
            if low == high:
                break
        return np.array(sorted(found), np.int32)


_vocabularies: weakref.WeakKeyDictionary[Any, Vocabulary] = weakref.WeakKeyDictionary()


def vocabulary(llm: Any) -> Vocabulary:
    """The vocabulary of a `llama_cpp.Llama`, read once."""
    known = _vocabularies.get(llm)
    if known is None:
        known = _vocabularies[llm] = Vocabulary(llm)
    return known


class GrammarEngine:
    """llama.cpp's grammar engine on one text: which tokens may come next.

    Raises:
        GrammarError: llama.cpp does not load the grammar, or a token is accepted that it refuses.
    """

    def __init__(self, llm: Any, gbnf: str) -> None:
        self._llm = llm
        handle = _open_model(llm).vocab
        if not gbnf or "\0" in gbnf:  # llama.cpp takes an empty text for no constraint, and stops to read at a NUL
            raise GrammarError("this GBNF is empty or holds a NUL character")
        self._sampler = lib.llama_sampler_init_grammar(handle, gbnf.encode("utf-8"), b"root")
        if not self._sampler:
            raise GrammarError("llama.cpp does not load this GBNF; it wrote the reason to standard error")
        weakref.finalize(self, lib.llama_sampler_free, self._sampler)
        self._passed: int | None = None  # a token that is known to be allowed next
        self._one: Any = lib.llama_token_data()
        one = lib.llama_token_data_array(ctypes.pointer(self._one), 1, -1, False)
        self._reference_to_one = ctypes.byref(one)
        self._grow(256)

    def _grow(self, size: int) -> None:
        self._data = np.zeros(size, _CANDIDATE)
        pointer = self._data.ctypes.data_as(lib.llama_token_data_p)
        self._ids, self._logits = self._data["id"], self._data["logit"]
        self._array = lib.llama_token_data_array(pointer, size, -1, False)
        self._reference = ctypes.byref(self._array)

    def allowed(self, ids: Ids) -> Mask:
        """For each token whether it may come next."""
        count = len(ids)
        if count > len(self._data):
            self._grow(max(count, 2 * len(self._data)))
        _open_model(self._llm)
        self._ids[:count] = ids
        logits = self._logits[:count]
        logits[:] = 0.0
        self._array.size = count
        lib.llama_sampler_apply(self._sampler, self._reference)
        allowed: Mask = logits == 0.0
        return allowed

    def allows(self, token: int) -> bool:
        """Whether one token may come next."""
        _open_model(self._llm)
        self._one.id, self._one.logit = token, 0.0
        lib.llama_sampler_apply(self._sampler, self._reference_to_one)
        if self._one.logit != 0.0:
            return False
        self._passed = token
        return True

    def accept(self, token: int) -> None:
        """Goes on behind the token."""
        if token != self._passed and not self.allows(token):
            piece = vocabulary(self._llm).pieces[token]
            raise GrammarError(f"token {token} ({piece!r}) is not what the grammar allows here")
        self._passed = None
        lib.llama_sampler_accept(self._sampler, token)

    def reset(self) -> None:
        """Back to the start of the grammar."""
        self._passed = None
        lib.llama_sampler_reset(self._sampler)


class Context:
    """The evaluation of a model, over the key-value cache of a `llama_cpp.Llama`.

    Attributes:
        size: the most tokens that the context holds.
        batch: the most tokens that are evaluated at once.
        calls: evaluations of the model so far.
        rewinds: whether a draft can be evaluated and taken back for little; recurrent models have to begin anew.
    """

    def __init__(self, llm: Any) -> None:
        _open_model(llm)
        self._llm = llm
        self.size: int = llm.n_ctx()
        self.batch: int = llm.n_batch
        self.calls = 0
        model = llm._model.model
        self._window: int = lib.llama_model_n_swa(model)
        recurrent = lib.llama_model_is_recurrent(model) or lib.llama_model_is_hybrid(model)
        self.rewinds = self.batch > 1 and not recurrent

    def reusable(self, ids: Ids) -> int:
        """How many tokens at the start of `ids` the cache holds already."""
        held = self._llm.input_ids[: self._llm.n_tokens]
        shared = min(len(held), len(ids))
        if held[:shared].tobytes() == ids[:shared].tobytes():  # mostly; the comparison below takes longer
            return shared
        different = np.flatnonzero(held[:shared] != ids[:shared])
        return int(different[0]) if len(different) else shared

    def evaluate(self, ids: Ids) -> Logits:
        """The `last_logits` behind the tokens; what the cache holds of them is not evaluated again."""
        llm = self._llm
        _open_model(llm)
        keep = self.reusable(ids)
        if not keep == len(ids) == llm.n_tokens or llm._requires_eval:
            keep = self._cut(min(keep, len(ids) - 1))
            self._run(ids[keep:])
        return last_logits(llm)

    def evaluate_draft(self, ids: Ids, size: int) -> list[Logits]:
        """The logits in front of each of the last `size` tokens, fewer than `batch`; only to be read, and soon."""
        llm, start = self._llm, len(ids) - size - 1
        _open_model(llm)
        keep = self._cut(min(self.reusable(ids), start))
        self._run(ids[keep:start])
        self.calls += 1
        _evaluate_all(llm, ids[start:].tolist())
        return [_logits(llm, place) for place in range(size)]

    def _run(self, ids: Ids) -> None:
        if len(ids):
            self.calls += -(-len(ids) // self.batch)
            self._llm.eval(ids.tolist())

    def _cut(self, size: int) -> int:
        """Cuts the cache back to so many tokens, or empties it where that cannot be; how many it holds now."""
        return size if size == self._llm.n_tokens or self._forget(size) else 0

    def empty(self) -> None:
        """Forgets all tokens."""
        self._llm.reset()

    def hold(self, ids: Ids) -> None:
        """Makes the cache hold these tokens and no others.

        The numbers depend on what is evaluated together. Held before each of several texts, and over a cache that was
        emptied before the first of them, the same tokens give all the numbers that they would give alone.
        """
        if self.reusable(ids) == len(ids) and self._cut(len(ids)) == len(ids):
            return
        self.empty()
        if len(ids):
            self.evaluate(ids)

    def _forget(self, keep: int) -> bool:
        """Cuts the cache back to `keep` tokens; False when it had to be emptied.

        Recurrent models cannot be cut, and behind a sliding window the tokens before it are gone.
        """
        llm = self._llm
        gone = self._window and lib.llama_memory_seq_pos_min(llm._ctx.memory, 0) > max(0, keep - self._window)
        if keep and not gone and llm._ctx.kv_cache_seq_rm(-1, keep, -1):
            llm.n_tokens = keep
            return True
        llm.reset()
        return False


def last_logits(llm: Any) -> Logits:
    """The logits behind what the model evaluated last, in llama.cpp's own array: only to be read, and soon.

    Raises:
        ModelError: the model has evaluated nothing.
    """
    _open_model(llm)
    if not llm.n_tokens or llm._requires_eval:
        raise ModelError("the model has evaluated nothing to go on from; evaluate a prompt first, with `llm.eval`")
    return _logits(llm, -1)


def _logits(llm: Any, place: int) -> Logits:
    """The logits behind a token of the last batch, counted from its start or, below 0, from its end."""
    first = lib.llama_get_logits_ith(llm._ctx.ctx, place).contents
    row = (ctypes.c_float * llm._n_vocab).from_address(ctypes.addressof(first))
    return np.frombuffer(row, np.float32)  # numpy's own way for pointers takes longer than a look for the best token


def _evaluate_all(llm: Any, tokens: list[int]) -> None:
    """What `llm.eval` does with one batch, but with logits behind each token."""
    if llm._logits_all:
        llm.eval(tokens)
        return
    start, end = llm.n_tokens, llm.n_tokens + len(tokens)
    llm._ctx.kv_cache_seq_rm(-1, start, -1)
    llm._batch.set_batch(batch=tokens, n_past=start, logits_all=True)
    llm._ctx.decode(llm._batch)
    llm.input_ids[start:end] = tokens
    llm.n_tokens = end
    llm._requires_eval = False


def chat_template(llm: Any) -> Callable[[Any], str]:
    """The chat template in the model's GGUF, as llama-cpp-python would render it."""
    template = llm.metadata.get("tokenizer.chat_template")
    if not template:
        raise ModelError(
            f"{llm.model_path} has no chat template; use an instruction-tuned model, "
            "or write the prompt yourself and use ConstrainedSampler"
        )
    start, end = (_name(llm, token) for token in (llm.token_bos(), llm.token_eos()))
    return formatter(template, start, end)


def formatter(template: str, start: str, end: str) -> Callable[[Any], str]:
    """A Jinja template as a function of the messages; `start` and `end` are the model's tokens of these names."""
    jinja = Jinja2ChatFormatter(template=template, bos_token=start, eos_token=end)
    return lambda messages: jinja(messages=messages).prompt


def own_handler(llm: Any) -> Callable[..., Any]:
    """llama-cpp-python's chat handler for the chat template in the model's GGUF."""
    chat_template(llm)
    handler: Callable[..., Any] = llm._chat_handlers["chat_template.default"]
    return handler


def register_handler(name: str, handler: Callable[..., Any]) -> None:
    """Makes a chat handler known as a `chat_format`, in the place of one of that name."""
    registry: Any = LlamaChatCompletionHandlerRegistry  # untyped
    registry().register_chat_completion_handler(name, handler, overwrite=True)


def wrapped_grammar(gbnf: str) -> LlamaGrammar:
    """The grammar as llama-cpp-python's own object."""
    return LlamaGrammar.from_string(gbnf, verbose=False)


def _name(llm: Any, token: int) -> str:
    return llm._model.token_get_text(token) if token != -1 else ""


def _open_model(llm: Any) -> Any:
    model = getattr(llm, "_model", None)
    if model is None or model.model is None:
        raise ModelError("the model is closed; load it again")
    return model


def _piece(handle: Any, token: int) -> bytes:
    buffer = ctypes.create_string_buffer(64)
    size = lib.llama_token_to_piece(handle, token, buffer, 64, 0, True)
    if size < 0:
        buffer = ctypes.create_string_buffer(-size)
        size = lib.llama_token_to_piece(handle, token, buffer, -size, 0, True)
    return buffer.raw[:size]
