#!/usr/bin/env bash
# The official package for JavaScript of Anthropic's API sends `apiKey` as `Authorization: Bearer …` since 1.0.0, together with
# `anthropic-version: 2026-10-21`, with which the API refuses `temperature`, `top_p` and `top_k` (its guide for migrating says
# so). Up to 0.137.0 it sent `x-api-key` and `2023-06-01`. A gateway or stand-in that reads keys of this API from `x-api-key`
# alone, as the examples for curl send them, answers 401 to the newer package; one that insists on the version it knows, 400.
#
# Exits 0 when the behaviour is the one described, 1 when it is another one. Needs Node 20 or later and npm.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts \
  before@npm:@anthropic-ai/sdk@0.137.0 after@npm:@anthropic-ai/sdk@1.9.0

cat >check.mjs <<'JS'
import { once } from "node:events";
import { createServer } from "node:http";
import After from "after";
import Before from "before";

const seen = [];
const answer = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "Hello" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};
const server = createServer((request, response) => {
  const { authorization, "x-api-key": key, "anthropic-version": version } = request.headers;
  seen.push({ authorization, key, version });
  request.resume();
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(answer));
}).listen(0, "127.0.0.1");
await once(server, "listening");

const baseURL = `http://127.0.0.1:${server.address().port}`;
const ask = { model: "m", max_tokens: 5, messages: [{ role: "user", content: "Hello" }] };
for (const Client of [Before, After])
  await new Client({ apiKey: "sk-ant-test", baseURL, maxRetries: 0 }).messages.create(ask);
server.close();

const [before, after] = seen;
console.log("@anthropic-ai/sdk 0.137.0 sends", before);
console.log("@anthropic-ai/sdk 1.9.0 sends  ", after);
const isAsDescribed =
  before.key === "sk-ant-test" &&
  before.authorization === undefined &&
  before.version === "2023-06-01" &&
  after.key === undefined &&
  after.authorization === "Bearer sk-ant-test" &&
  after.version === "2026-10-21";
console.log("expected: the key in x-api-key from both");
console.log(isAsDescribed ? "The newer package sends the key as a bearer token." : "The behaviour has changed.");
process.exitCode = isAsDescribed ? 0 : 1;
JS
node check.mjs
