#!/usr/bin/env bash
# When a stream ends behind an event that has no empty line after it, the openai package for JavaScript hands out that event, and
# the openai package for Python and eventsource-parser discard it. The HTML standard says to discard it. A server that leaves out
# the last empty line seems right when it is tested with one official client, and with the other loses the last event of each answer.
#
# Exits 0 when the behaviour is the one described, 1 when it is another one. Needs Node 22 or later, npm, and Python 3.9 or later
# with venv.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openai@7.59.0 eventsource-parser@4.1.3
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check openai==3.57.0

cat >client.py <<'PY'
import json
import sys

import openai

client = openai.OpenAI(api_key="none", base_url=sys.argv[1])
stream = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Count"}], stream=True)
print(json.dumps({"version": openai.__version__, "words": [chunk.choices[0].delta.content for chunk in stream]}))
PY

cat >check.mjs <<'JS'
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { promisify } from "node:util";
import { EventSourceParserStream } from "eventsource-parser/stream";
import OpenAI from "openai";

const toLine = (content) =>
  `data: ${JSON.stringify({
    id: "c1",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  })}`;
const endings = { "no-newline": "", "one-newline": "\n", "empty-line": "\n\n" };

const server = createServer((request, response) => {
  const ending = endings[request.url.split("/")[1]];
  response.setHeader("content-type", "text/event-stream");
  response.end(`${toLine("one")}\n\n${toLine("two")}${ending}`);
}).listen(0, "127.0.0.1");
await once(server, "listening");

async function readWithJavaScript(baseURL) {
  const messages = [{ role: "user", content: "Count" }];
  const client = new OpenAI({ apiKey: "none", baseURL });
  const words = [];
  for await (const chunk of await client.chat.completions.create({ model: "m", messages, stream: true })) {
    words.push(chunk.choices[0].delta.content);
  }
  return words;
}

async function readWithParser(baseURL) {
  const { body } = await fetch(`${baseURL}/chat/completions`);
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const words = [];
  for await (const { data } of events) words.push(JSON.parse(data).choices[0].delta.content);
  return words;
}

const seen = {};
let pythonVersion;
for (const name of Object.keys(endings)) {
  const baseURL = `http://127.0.0.1:${server.address().port}/${name}`;
  const { stdout } = await promisify(execFile)("python/bin/python", ["client.py", baseURL]);
  const { version, words } = JSON.parse(stdout);
  pythonVersion = version;
  seen[name] = {
    javaScript: (await readWithJavaScript(baseURL)).join(" "),
    python: words.join(" "),
    parser: (await readWithParser(baseURL)).join(" "),
  };
}
server.close();
server.closeAllConnections();

const versionOf = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version;
console.log(`openai for JavaScript ${versionOf("openai")}, openai for Python ${pythonVersion}`);
console.log(`eventsource-parser ${versionOf("eventsource-parser")}`);
console.log("sent: the events one and two, of which the second ends with:");
for (const [name, words] of Object.entries(seen)) console.log(`${name.padEnd(11)}`, words);

const isAsDescribed = Object.entries(seen).every(([name, { javaScript, python, parser }]) => {
  const standard = name === "empty-line" ? "one two" : "one";
  return javaScript === "one two" && python === standard && parser === standard;
});
console.log(isAsDescribed ? "Only openai for JavaScript hands out the unfinished event." : "The behaviour has changed.");
process.exitCode = isAsDescribed ? 0 : 1;
JS
node check.mjs
