#!/usr/bin/env bash
# LiteLLM's proxy sends the usage that a client asks for with `stream_options.include_usage` in a chunk whose `choices` has one
# entry, which comes after the chunk with the finish reason. In OpenAI's protocol `choices` of that chunk is `[]`, and the proxy's
# own backend sends it so. A client that takes the chunk with empty choices for the one with usage finds none, and one that reads
# the finish reason from the last chunk with choices gets nothing.
#
# Exits 0 when the behaviour is the one described, 1 when it is another one. Needs Python 3.10 or later with venv.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check 'litellm[proxy]==1.106.12'

cat >check.py <<'PY'
import json
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version


class Backend(BaseHTTPRequestHandler):
    """Streams an answer with usage, as OpenAI documents it."""

    def log_message(self, *_):
        pass

    def send_event(self, choices, usage=None):
        chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices}
        self.wfile.write(b"data: " + json.dumps({**chunk, "usage": usage}).encode() + b"\n\n")

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.send_event([{"index": 0, "delta": {"role": "assistant", "content": "One"}, "finish_reason": None}])
        self.send_event([{"index": 0, "delta": {}, "finish_reason": "length"}])
        self.send_event([], {"prompt_tokens": 7, "completion_tokens": 1, "total_tokens": 8})
        self.wfile.write(b"data: [DONE]\n\n")


def find_free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_ready(proxy, url, seconds=180):
    for _ in range(seconds):
        if proxy.poll() is not None:
            sys.exit(f"The proxy ended with {proxy.returncode}:\n{open('proxy.log').read()}")
        try:
            return urllib.request.urlopen(f"{url}/health/liveliness", timeout=5)
        except (urllib.error.URLError, OSError):
            time.sleep(1)
    sys.exit(f"The proxy did not start in {seconds} seconds.")


def read_stream(url, key):
    body = {
        "model": "m",
        "messages": [{"role": "user", "content": "Count"}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
    request = urllib.request.Request(f"{url}/v1/chat/completions", json.dumps(body).encode(), headers)
    lines = urllib.request.urlopen(request, timeout=60).read().decode().splitlines()
    return [json.loads(line[6:]) for line in lines if line.startswith("data: {")]


backend = ThreadingHTTPServer(("127.0.0.1", 0), Backend)
threading.Thread(target=backend.serve_forever, daemon=True).start()
backend_url = f"http://127.0.0.1:{backend.server_port}"
parameters = {"model": "openai/m", "api_base": f"{backend_url}/v1", "api_key": "none"}
with open("config.yaml", "w") as file:
    json.dump({"model_list": [{"model_name": "m", "litellm_params": parameters}]}, file)  # JSON is YAML

key = f"sk-{secrets.token_hex(32)}"
port = find_free_port()
url = f"http://127.0.0.1:{port}"
with open("proxy.log", "w") as log:
    proxy = subprocess.Popen(
        ["python/bin/litellm", "--config", "config.yaml", "--host", "127.0.0.1", "--port", str(port)],
        env={**os.environ, "LITELLM_MASTER_KEY": key, "LITELLM_LOCAL_MODEL_COST_MAP": "True"},
        stdout=log,
        stderr=log,
    )
try:
    wait_until_ready(proxy, url)
    direct = read_stream(backend_url, key)
    chunks = read_stream(url, key)
finally:
    proxy.terminate()
    proxy.wait()

print(f"litellm {version('litellm')}")
for name, stream in (("backend", direct), ("proxy", chunks)):
    print(f"the last two chunks of the {name}:")
    for chunk in stream[-2:]:
        print(f"  choices {json.dumps(chunk['choices'])}, usage {json.dumps(chunk.get('usage'))}")
before, last = chunks[-2:]
is_as_described = (
    direct[-1]["choices"] == []
    and before["choices"][0]["finish_reason"] == "length"
    and last["usage"]["total_tokens"] == 8
    and len(last["choices"]) == 1
    and not last["choices"][0].get("finish_reason")
)
print("The chunk with usage has choices." if is_as_described else "The behaviour has changed.")
sys.exit(0 if is_as_described else 1)
PY
python/bin/python check.py
