#!/usr/bin/env bash
# Cline 3 (the command line, npm package cline) reads its providers from the file that CLINE_PROVIDER_SETTINGS_PATH names. The file
# that `cline auth` writes has a version, the provider used last, and for each provider its settings and `updatedAt`. A file that
# lacks `updatedAt` and is the same otherwise is not refused: Cline replaces it, without a word, with one for its makers' own
# service and begins the task there, so that the prompt would go to another company than the file says. With `updatedAt` it calls
# the server that the file names.
#
# Exits 0 when the behaviour is the one described, 1 when it is another one. Needs Node 22 or later and npm, on Linux with x64.
set -euo pipefail

folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; pkill -f "$folder.*cline-hub-daemon" 2>/dev/null || true; sleep 1; rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund cline@3.0.65 >/dev/null 2>&1

cat >server.mjs <<'JS'
import { appendFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    appendFileSync("requests.txt", `${request.method} ${request.url}\n`);
    response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"enough"}}');
  });
}).listen(0, "127.0.0.1", () => writeFileSync("port.txt", String(server.address().port)));
JS
node server.mjs &
server=$!
until [ -s port.txt ]; do sleep 0.1; done

write_settings() { # $1: the property of the date, or nothing
  cat >providers.json <<JSON
{"version":1,"lastUsedProvider":"openai-compatible","modes":{},"providers":{"openai-compatible":{"settings":{"provider":"openai-compatible","apiKey":"key","model":"acme/small","baseUrl":"http://127.0.0.1:$(cat port.txt)/v1"},$1"tokenSource":"manual"}}}
JSON
}
run_cline() {
  : >requests.txt
  HOME="$folder/home" CLINE_PROVIDER_SETTINGS_PATH="$folder/providers.json" \
    timeout 120 node_modules/.bin/cline "$@" "Say one word." >/dev/null 2>&1 || true
}
mkdir home

echo "cline $(node_modules/.bin/cline --version)"
write_settings ''
run_cline
without="calls: $(wc -l <requests.txt | tr -d ' '), provider in the file: $(node -p 'JSON.parse(require("fs").readFileSync("providers.json")).lastUsedProvider')"
echo "without updatedAt: $without"
write_settings '"updatedAt":"2026-11-30T12:00:00.000Z",'
run_cline
with="$(sort -u requests.txt)"
echo "with updatedAt:    $with"
expected="POST /v1/chat/completions"
[ "$without" = "calls: 0, provider in the file: cline" ] && [ "$with" = "$expected" ]
