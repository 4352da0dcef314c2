#!/usr/bin/env bash
# light-my-request, which Fastify uses for `inject`, takes a `signal`. While the request's body has not been read, aborting it rejects
# with an AbortError and closes the response. Once the handler has read the body, also an empty one, aborting does nothing: the promise
# stays pending for as long as the handler does not answer, the response gets no `close`, and the handler goes on. A caller that
# leaves, or a time limit by `AbortSignal.timeout`, therefore ends no work and frees nothing. Destroying the response does both.
#
# Exits 0 when the behaviour is the one described, 1 when it is another one. Needs Node 20 or later and npm.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts light-my-request@6.8.1

cat >check.mjs <<'JS'
import { strictEqual } from "node:assert";
import inject from "light-my-request";

/** Aborts a request that is never answered. Returns how it ended within a second, and whether its response was closed. */
async function abort({ readsBody, destroys = false }) {
  const caller = new AbortController();
  let isClosed = false;
  const answer = inject(
    async (request, response) => {
      response.on("close", () => (isClosed = true));
      if (destroys) caller.signal.addEventListener("abort", () => response.destroy(new Error("gone")));
      if (readsBody) for await (const _ of request);
      setTimeout(() => caller.abort(), 20);
    },
    { method: "POST", url: "/", payload: "body", signal: caller.signal },
  );
  const pending = new Promise((resolve) => setTimeout(resolve, 1000, "pending"));
  const outcome = await Promise.race([answer.then(() => "answered", ({ name }) => `rejected with ${name}`), pending]);
  return `${outcome}, ${isClosed ? "closed" : "not closed"}`;
}

const results = {
  "body not read": await abort({ readsBody: false }),
  "body read": await abort({ readsBody: true }),
  "body read, response destroyed": await abort({ readsBody: true, destroys: true }),
};
console.log("light-my-request 6.8.1");
for (const [name, result] of Object.entries(results)) console.log(`${name}: ${result}`);
strictEqual(results["body not read"], "rejected with AbortError, closed");
strictEqual(results["body read"], "pending, not closed");
strictEqual(results["body read, response destroyed"], "rejected with Error, closed");
JS
node check.mjs
