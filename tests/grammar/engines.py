"""Engines that decide membership in a printed grammar, one function each: grammar text, text -> bool.

`llama` drives llama.cpp's grammar engine itself, character by character, through functions that its library exports but
does not declare. No vocabulary is needed for that, and a grammar costs microseconds; tokens come into play only in the
tests of the sampler.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import pytest
from lark import Lark
from lark.exceptions import LarkError
from llama_cpp import llama_cpp as bindings
from llguidance import LLMatcher, LLTokenizer


class DoesNotLoad(ValueError):
    """The engine refuses the grammar."""


def llama(gbnf: str, text: str) -> bool:
    """Whether llama.cpp takes the text as a whole. U+0000, which it can never match, is refused."""
    if "\0" in text:
        return False
    with _llama_grammar(gbnf) as grammar:
        for char in text:
            _ACCEPT(grammar, ord(char))
            if not _stack_depths(grammar):
                return False
        return 0 in _stack_depths(grammar)


def llama_stacks(gbnf: str, text: str) -> list[int]:
    """How many parallel stacks llama.cpp holds before each character of the text and at its end."""
    with _llama_grammar(gbnf) as grammar:
        counts = [len(_stack_depths(grammar))]
        for char in text:
            _ACCEPT(grammar, ord(char))
            counts.append(len(_stack_depths(grammar)))
        return counts


_LIBRARY = bindings._lib
_INIT = _LIBRARY._Z23llama_grammar_init_implPK11llama_vocabPKcS3_bPS3_mPKim
_INIT.restype = ctypes.c_void_p
_INIT.argtypes = [
    ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_bool,
    ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t,
]  # fmt: skip
_CLONE = _LIBRARY._Z24llama_grammar_clone_implRK13llama_grammar
_CLONE.restype = ctypes.c_void_p
_CLONE.argtypes = [ctypes.c_void_p]
_FREE = _LIBRARY._Z23llama_grammar_free_implP13llama_grammar
_FREE.restype = None
_FREE.argtypes = [ctypes.c_void_p]
_ACCEPT = _LIBRARY._Z20llama_grammar_acceptP13llama_grammarj
_ACCEPT.restype = None
_ACCEPT.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
_STACKS = _LIBRARY._Z24llama_grammar_get_stacksP13llama_grammar
_STACKS.restype = ctypes.POINTER(ctypes.c_size_t * 2)  # a vector of vectors of pointers: begin and end come first
_STACKS.argtypes = [ctypes.c_void_p]


class _Loaded:
    """A grammar in its initial state, freed with the last reference to it."""

    def __init__(self, gbnf: str) -> None:
        if "\0" in gbnf:
            raise DoesNotLoad("U+0000 would end the text early")
        self.pointer = _INIT(None, gbnf.encode(), b"root", False, None, 0, None, 0)
        if not self.pointer:
            raise DoesNotLoad(gbnf)

    def __del__(self) -> None:
        if getattr(self, "pointer", None):
            _FREE(self.pointer)


@lru_cache(maxsize=4)
def _loaded(gbnf: str) -> _Loaded:
    return _Loaded(gbnf)


@contextmanager
def _llama_grammar(gbnf: str) -> Iterator[int]:
    copy = _CLONE(_loaded(gbnf).pointer)
    try:
        yield copy
    finally:
        _FREE(copy)


def _stack_depths(grammar: int) -> list[int]:
    begin, end = _STACKS(grammar).contents
    if begin == end:
        return []
    words = (end - begin) // ctypes.sizeof(ctypes.c_size_t)
    vectors = (ctypes.c_size_t * words).from_address(begin)
    return [(vectors[i + 1] - vectors[i]) // ctypes.sizeof(ctypes.c_size_t) for i in range(0, words, 3)]


def xgrammar(gbnf: str, text: str) -> bool:
    """Whether XGrammar takes the text as a whole; the test is skipped where XGrammar is not installed."""
    matcher = _xgrammar_matcher(gbnf)
    matcher.reset()
    return bool(matcher.accept_string(text) and matcher.is_terminated())


@lru_cache(maxsize=4)
def _xgrammar_matcher(gbnf: str) -> Any:
    library = pytest.importorskip("xgrammar")
    compiler = library.GrammarCompiler(library.TokenizerInfo([]), cache_enabled=False)
    compiled = compiler.compile_grammar(library.Grammar.from_ebnf(gbnf))
    return library.GrammarMatcher(compiled, terminate_without_stop_token=True)


def lark(text_of_grammar: str, text: str) -> bool:
    """Whether Lark's Earley parser takes the text; meant for grammars of one character or class a terminal."""
    try:
        _lark_parser(text_of_grammar).parse(text)
    except LarkError:
        return False
    return True


@lru_cache(maxsize=4)
def _lark_parser(text_of_grammar: str) -> Lark:
    return Lark(text_of_grammar, parser="earley", lexer="dynamic_complete", ambiguity="forest")


def llguidance(text_of_grammar: str, text: str) -> bool:
    """Whether llguidance takes the text, as bytes."""
    matcher = _llguidance_matcher(text_of_grammar).deep_copy()
    data = text.encode()
    return matcher.try_consume_tokens(_BYTES.tokenize_bytes(data)) == len(data) and matcher.is_accepting()


_BYTES = LLTokenizer("byte")


@lru_cache(maxsize=4)
def _llguidance_matcher(text_of_grammar: str) -> LLMatcher:
    matcher = LLMatcher(_BYTES, LLMatcher.grammar_from_lark(text_of_grammar), log_level=0)
    if matcher.is_error():
        raise DoesNotLoad(matcher.get_error())
    return matcher
