#!/usr/bin/env bash
# openapi-fetch reports a response with status 500 and no body as `error: undefined` when the server sends `Content-Length: 0`, and
# as `error: ""` when it sends the empty body in chunks (or over HTTP/2 without a length). Both are falsy, so `if (error)` takes a
# failed call for a successful one without data; only `response.ok` tells them apart. An answer with a body gives a truthy error.
#
# Exits 0 when the behaviour is the one described, 1 when it is another one. Needs Node 20 or later and npm.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openapi-fetch@0.17.0

cat >check.mjs <<'JS'
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import createClient from "openapi-fetch";

const server = createServer((request, response) => {
  response.statusCode = request.url === "/no-content" ? 204 : 500;
  if (request.url === "/chunked") response.flushHeaders();
  response.end(request.url === "/body" ? '{"message":"out of memory"}' : undefined);
}).listen(0, "127.0.0.1");
await once(server, "listening");

const client = createClient({ baseUrl: `http://127.0.0.1:${server.address().port}` });
const { version } = JSON.parse(readFileSync("node_modules/openapi-fetch/package.json", "utf8"));
console.log(`openapi-fetch ${version}`);
const seen = {};
for (const path of ["/body", "/content-length", "/chunked", "/no-content"]) {
  const { data, error, response } = await client.GET(path);
  seen[path] = { status: response.status, data, error };
  console.log(path, seen[path]);
}
server.close();

const isAsDescribed =
  seen["/body"].error?.message === "out of memory" &&
  seen["/content-length"].status === 500 &&
  seen["/content-length"].error === undefined &&
  seen["/chunked"].status === 500 &&
  seen["/chunked"].error === "";
console.log("expected: a truthy error for each response with status 500");
console.log(isAsDescribed ? "The errors without a body are falsy." : "The behaviour has changed.");
process.exitCode = isAsDescribed ? 0 : 1;
JS
node check.mjs
