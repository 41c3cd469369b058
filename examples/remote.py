"""Ask a server for calls: llama-server, vLLM, SGLang or `slashgrammar serve`.

slashgrammar serve -m model.gguf &
python examples/remote.py http://localhost:8000/v1

# llama-server; examples/llama_server.sh builds it from source
llama-server -m model.gguf --port 8080 &
python examples/remote.py http://localhost:8080/v1

vllm serve MODEL &
python examples/remote.py http://localhost:8000/v1 --server vllm --model MODEL

python -m sglang.launch_server --model-path MODEL --grammar-backend xgrammar --port 30000 &
python examples/remote.py http://localhost:30000/v1 --server sglang --model MODEL
"""

from __future__ import annotations

import argparse
import sys

import slashgrammar as sg

TOOLS = sg.ToolSet.from_signatures(
    """
    weather(city:str, unit:"celsius"|"fahrenheit"="celsius")->weather
    write(path:str, content:str)->confirmation
    search(query:str, folders:Array[str]=["."])->results
    """
)
# A call to begin with, which small models need more than instructions.
SHOWN = [
    {"role": "user", "content": "How warm is it in Rome?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "1", "function": {"name": "weather", "arguments": '{"city": "Rome"}'}}],
    },
    {"role": "tool", "tool_call_id": "1", "content": "21 degrees"},
    {"role": "assistant", "content": "21 degrees."},
]
QUESTIONS = (
    "What's the weather like in Paris?",
    "Write 'buy milk' to list.txt",
    "Search the folder src for TODO",
)


def main() -> None:
    from slashgrammar.remote import Client

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("--server", choices=["llama.cpp", "vllm", "sglang"], default="llama.cpp")
    parser.add_argument("--model", help="the model's name, where the server wants one")
    parser.add_argument("--question", dest="questions", action="append", help="instead of those in this file")
    arguments = parser.parse_args()
    with Client(arguments.address, server=arguments.server, model=arguments.model) as client:
        for question in arguments.questions or QUESTIONS:
            print(f"> {question}")
            reply = client.generate(
                [*SHOWN, {"role": "user", "content": question}],
                TOOLS,
                tool_choice="required",
                parallel=False,
                prose=False,
                max_tokens=200,
                temperature=0,
            )
            for event in reply:
                if isinstance(event, sg.events.CallStart):
                    print(f"calls {event.name}", end="", flush=True)
                elif isinstance(event, sg.events.ArgumentDelta):
                    print(".", end="", flush=True)
            try:
                print(f"\n{TOOLS.render(reply.message.calls)}\n")
            except sg.IncompleteCall as error:
                print(f"\ncut off: {error}\n")


if __name__ == "__main__":
    try:
        main()
    except (ImportError, OSError, ValueError, sg.SlashError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("interrupted")
