#!/usr/bin/env bash
# MCP names JSON Schema 2020-12 as the dialect of a tool's arguments where the schema says no other. The official SDK for
# JavaScript says another for every tool that is registered with zod: `"$schema": "http://json-schema.org/draft-07/schema#"`. The
# class of Ajv for 2020-12 then throws for each of them, since it does not know that dialect, so that a client which checks what
# servers describe refuses all tools of servers made with the SDK. It takes them once Ajv's own copy of draft-07 is added.
#
# The same SDK registers and lists names that APIs of models refuse: names with a dot, and of up to 128 characters, are right in
# MCP, where OpenAI documents letters, digits, underscores and dashes, 64 at most. Names with spaces, a slash or 140 characters
# are a warning on stderr, and are called like others.
#
# Exits 0 when the behaviour is the one described, 1 when it is another one. Needs Node 20 or later and npm.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @modelcontextprotocol/sdk@1.32.2 zod@4.6.7 ajv@8.20.0

cat >check.mjs <<'JS'
import { createRequire } from "node:module";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";

const draft7 = createRequire(import.meta.url)("ajv/dist/refs/json-schema-draft-07.json");
const NAMES = ["files.read", "n".repeat(100), "two words", "a/b", "n".repeat(140)];

const server = new McpServer({ name: "files", version: "1.0.0" });
const answer = async () => ({ content: [{ type: "text", text: "ok" }] });
for (const name of NAMES) server.registerTool(name, { inputSchema: { path: z.string() } }, answer);
const [one, other] = InMemoryTransport.createLinkedPair();
await server.connect(one);
const client = new Client({ name: "check", version: "1.0.0" });
await client.connect(other);

const { tools } = await client.listTools();
const dialects = new Set(tools.map(({ inputSchema }) => inputSchema.$schema));
const called = [];
for (const name of NAMES) {
  const { isError } = await client.callTool({ name, arguments: { path: "notes.txt" } });
  if (!isError) called.push(name);
}
await client.close();

const compile = (ajv) => {
  try {
    ajv.compile(tools[0].inputSchema);
    return "taken";
  } catch (error) {
    return error.message;
  }
};
const alone = compile(new Ajv2020());
const withDraft7 = compile(new Ajv2020().addMetaSchema(draft7));
const forModels = tools.filter(({ name }) => /^[A-Za-z0-9_-]{1,64}$/.test(name)).length;
console.log("dialects of the tools:", [...dialects].join(", "));
console.log("Ajv for 2020-12:", alone);
console.log("Ajv for 2020-12 with draft-07:", withDraft7);
console.log(`listed: ${tools.length} of ${NAMES.length}, called: ${called.length}, names that OpenAI documents: ${forModels}`);

const isAsDescribed =
  dialects.size === 1 &&
  dialects.has("http://json-schema.org/draft-07/schema#") &&
  alone.includes("no schema with key or ref") &&
  withDraft7 === "taken" &&
  tools.length === NAMES.length &&
  called.length === NAMES.length &&
  forModels === 0;
process.exit(isAsDescribed ? 0 : 1);
JS

node check.mjs 2>/dev/null
