#!/usr/bin/env bash
# The official packages for JavaScript of Cohere and of Voyage both send `POST /v1/rerank` with `model`, `query` and `documents`,
# and take each other's answers without an error, but for the same thing they use other fields: Cohere asks for the best texts
# with `top_n` and reads `results`, Voyage asks with `top_k` and reads `data`. The other one's list comes back as the server sent
# it, with `relevance_score` in place of the package's `relevanceScore`, so that a program sorts by undefined. A gateway that
# passes such calls on unchanged gives all texts back to whoever asked in the other dialect, or a list that is not read.
#
# Exits 0 when the behaviour is the one described, 1 when it is another one. Needs Node 20 or later and npm.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts cohere-ai@8.1.0 voyageai@0.4.0

cat >check.mjs <<'JS'
import { once } from "node:events";
import { createServer } from "node:http";
import { CohereClient } from "cohere-ai";
import { VoyageAIClient } from "voyageai";

const ranking = [{ index: 1, relevance_score: 0.9 }];
let list = "results";
let sent;
const server = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  sent = { path: request.url, ...JSON.parse(body) };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ id: "1", object: "list", model: "m", [list]: ranking, usage: { total_tokens: 1 } }));
}).listen(0, "127.0.0.1");
await once(server, "listening");
const address = `http://127.0.0.1:${server.address().port}`;
const cohere = new CohereClient({ token: "k", environment: address });
const voyage = new VoyageAIClient({ apiKey: "k", environment: `${address}/v1` });
const ask = { model: "m", query: "q", documents: ["a", "b"] };

const seen = {};
for (list of ["results", "data"]) {
  const ofCohere = await cohere.rerank({ ...ask, topN: 1 });
  const byCohere = { path: sent.path, count: sent.top_n ?? null };
  const ofVoyage = await voyage.rerank({ ...ask, topK: 1 });
  const byVoyage = { path: sent.path, count: sent.top_k ?? null, topN: sent.top_n ?? null };
  seen[list] = {
    cohere: { ...byCohere, score: ofCohere[list][0].relevanceScore ?? null },
    voyage: { ...byVoyage, score: ofVoyage[list][0].relevanceScore ?? null },
  };
}
server.close();
console.log("cohere-ai 8.1.0 and voyageai 0.4.0, asking for the best of two texts:");
console.log(JSON.stringify(seen, null, 2));
const expected = {
  results: {
    cohere: { path: "/v1/rerank", count: 1, score: 0.9 },
    voyage: { path: "/v1/rerank", count: 1, topN: null, score: null },
  },
  data: {
    cohere: { path: "/v1/rerank", count: 1, score: null },
    voyage: { path: "/v1/rerank", count: 1, topN: null, score: 0.9 },
  },
};
if (JSON.stringify(seen) !== JSON.stringify(expected)) {
  console.log("The behaviour is another one than described.");
  process.exit(1);
}
JS
node check.mjs
