#!/usr/bin/env bash
# LiteLLM's proxy ends a stream with `finish_reason: "stop"` and with usage that it counted itself when the backend's response ends
# early: without a finish reason, usage and [DONE], as from a server that closes its connection when it fails. The truncated answer
# looks complete. Only when HTTP itself says that bytes are missing (chunks without the last one) does the client get an error.
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
    """Streams the beginning of an answer, and ends the response as the model's name says."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send_event(self, delta):
        choices = [{"index": 0, "delta": delta, "finish_reason": None}]
        chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices}
        data = b"data: " + json.dumps(chunk).encode() + b"\n\n"
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data) if self.is_chunked else data)

    def do_POST(self):
        model = json.loads(self.rfile.read(int(self.headers["content-length"])))["model"]
        self.is_chunked = model != "connection-closed"
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        if self.is_chunked:
            self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        self.send_event({"role": "assistant", "content": "One,"})
        self.send_event({"content": " two,"})
        if model == "last-chunk-sent":
            self.wfile.write(b"0\r\n\r\n")
        self.close_connection = True


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


def read_stream(url, key, model):
    body = {
        "model": model,
        "messages": [{"role": "user", "content": "Count"}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
    request = urllib.request.Request(f"{url}/v1/chat/completions", json.dumps(body).encode(), headers)
    try:
        lines = urllib.request.urlopen(request, timeout=60).read().decode().splitlines()
    except urllib.error.HTTPError as error:
        return [json.loads(error.read())]
    return [json.loads(line[6:]) for line in lines if line.startswith("data: {")]


def get_answer(chunks):
    """Returns what a client understands of the chunks."""
    choices = [choice for chunk in chunks for choice in chunk.get("choices", [])]
    return {
        "text": "".join(choice["delta"].get("content") or "" for choice in choices),
        "finish_reason": next((choice["finish_reason"] for choice in choices if choice.get("finish_reason")), None),
        "usage": next((chunk["usage"] for chunk in chunks if chunk.get("usage")), None),
        "error": next((chunk["error"]["message"] for chunk in chunks if "error" in chunk), None),
    }


backend = ThreadingHTTPServer(("127.0.0.1", 0), Backend)
threading.Thread(target=backend.serve_forever, daemon=True).start()
backend_url = f"http://127.0.0.1:{backend.server_port}"
MODELS = ("connection-closed", "last-chunk-sent", "last-chunk-missing")
models = [
    {
        "model_name": name,
        "litellm_params": {"model": f"openai/{name}", "api_base": f"{backend_url}/v1", "api_key": "none"},
    }
    for name in MODELS
]
with open("config.yaml", "w") as file:
    json.dump({"model_list": models}, file)  # JSON is YAML

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
    answers = {name: get_answer(read_stream(url, key, name)) for name in MODELS}
finally:
    proxy.terminate()
    proxy.wait()

print(f"litellm {version('litellm')}")
print('sent: "One, two," without finish reason, usage and [DONE]; received through the proxy:')
for name, answer in answers.items():
    print(f"{name}: {json.dumps(answer, indent=2)}")
looks_complete = {
    name: answer["finish_reason"] == "stop" and answer["usage"] is not None and answer["error"] is None
    for name, answer in answers.items()
}
is_as_described = (
    looks_complete["connection-closed"]
    and looks_complete["last-chunk-sent"]
    and answers["last-chunk-missing"]["error"] is not None
    and answers["last-chunk-missing"]["finish_reason"] is None
)
print("The truncated answers look complete." if is_as_described else "The behaviour has changed.")
sys.exit(0 if is_as_described else 1)
PY
python/bin/python check.py
