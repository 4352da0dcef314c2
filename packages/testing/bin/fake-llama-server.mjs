#!/usr/bin/env node
// A stand-in for the command `llama-server`, written from the options, the log and the answers of its version 0.1.0-dev of
// 2026. It runs no model: every answer is "llama-server says hello". src/fake-llama-server.ts lists its faults, which the
// `general.name` of the model asks for, so that they reach it whatever the environment is.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const OPTIONS_WITH_VALUE = [
  ...["--model", "--mmproj", "--alias", "--host", "--port", "--ctx-size", "--parallel", "--threads", "--device"],
  ...["--batch-size", "--ubatch-size", "--n-gpu-layers"],
];
const SWITCHES = ["--no-webui", "--jinja", "--reranking", "--list-devices"];
const startedAt = performance.now();
const options = parseOptions(process.argv.slice(2));
if (options["--list-devices"]) {
  process.stdout.write("Available devices:\n  (none)\n");
  process.exit(0);
}
const path = options["--model"] ?? "";
const header = existsSync(path) ? readFileSync(path).subarray(0, 4096) : Buffer.alloc(0);
const architecture = readText("general.architecture");
const [, mode = "works"] = readText("general.name").split(" ");
const name = options["--alias"] ?? path;
const apiKey = process.env.LLAMA_API_KEY;
let state = "loading";

process.on("SIGTERM", () => {
  log("I", "srv    operator(): operator(): cleaning up before exit...");
  process.exit(0);
});
const server = createServer(handle);
server.listen(options["--host"]?.endsWith(".sock") ? options["--host"] : Number(options["--port"] ?? 8080));
log("I", `srv    load_model: loading model '${path}'`);
if (header.length === 0) failLoading(`failed to open GGUF file '${path}' (No such file or directory)`);
if (architecture === "unknown") failLoading(`unknown model architecture: '${architecture}'`);
if (!header.includes(`${architecture}.context_length`))
  failLoading(`error loading model hyperparameters: key not found in model: ${architecture}.context_length`);
if (mode === "out_of_memory") failMemory();
if (mode === "slow_start") while (!existsSync(`${path}.continue`)) await sleep(20);
log("I", `srv    load_model: initializing, n_slots = ${options["--parallel"]}, kv_unified = 'false'`);
log("I", "srv  llama_server: model loaded");
state = "ready";

/** Returns a field of the model's header with a text: its name, its type, the length of the text, the text. */
function readText(field) {
  const at = header.indexOf(field);
  if (at < 0) return "";
  const lengthAt = at + field.length + 4;
  return header.subarray(lengthAt + 8, lengthAt + 8 + Number(header.readBigUInt64LE(lengthAt))).toString();
}

function handle(request, response) {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const { pathname } = new URL(request.url, "http://llama");
    if (state === "hanging") return;
    const isPublic = ["/health", "/v1/models"].includes(pathname);
    if (!isPublic && apiKey && request.headers.authorization !== `Bearer ${apiKey}`)
      return sendError(response, 401, "Invalid API Key", "authentication_error");
    if (state === "loading") return sendError(response, 503, "Loading model", "unavailable_error");
    if (pathname === "/health") return send(response, 200, { status: "ok" });
    if (pathname === "/v1/models")
      return send(response, 200, { object: "list", data: [{ id: name, owned_by: "llamacpp" }] });
    const body = JSON.parse(Buffer.concat(chunks).toString() || "{}");
    if (pathname === "/tokenize") return send(response, 200, { tokens: body.content.split(" ").map((_, at) => at) });
    if (pathname === "/v1/rerank") return answerRanking(response, body);
    if (pathname === "/v1/chat/completions") return answerChat(response, body);
    sendError(response, 404, "File Not Found", "not_found_error");
  });
}

function answerChat(response, { messages, stream, stream_options }) {
  if (mode === "crashes") failAssertion();
  if (mode === "hangs") {
    state = "hanging";
    return;
  }
  const hasImage = messages.some(
    ({ content }) => Array.isArray(content) && content.some(({ type }) => type === "image_url"),
  );
  if (hasImage && !options["--mmproj"]) {
    const hint = "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj";
    return sendError(response, 500, hint, "server_error");
  }
  const content = hasImage ? "llama-server sees an image" : "llama-server says hello";
  const base = { id: "chatcmpl-1", created: 1_780_000_000, model: name };
  const usage = { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 };
  if (stream !== true) {
    const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop" };
    return send(response, 200, { ...base, object: "chat.completion", choices: [choice], usage });
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (fields) =>
    response.write(`data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", ...fields })}\n\n`);
  chunk({ choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason: null }] });
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  if (stream_options?.include_usage) chunk({ choices: [], usage });
  response.end("data: [DONE]\n\n");
}

function answerRanking(response, { documents }) {
  if (!options["--reranking"])
    return sendError(
      response,
      501,
      "This server does not support reranking. Start it with `--reranking`",
      "not_supported_error",
    );
  const results = documents.map((text, index) => ({ index, relevance_score: text.length }));
  send(response, 200, { model: name, object: "list", usage: { prompt_tokens: 4, total_tokens: 4 }, results });
}

function failLoading(text) {
  log("E", `llama_model_load: error loading model: ${text}`);
  log("E", "llama_model_load_from_file_impl: failed to load model");
  log("E", `srv    load_model: failed to load model, '${path}'`);
  log("E", "srv  llama_server: exiting due to model loading error");
  process.exit(1);
}

function failMemory() {
  log("E", "ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 68719476736");
  log("E", "llama_model_load: error loading model: unable to allocate CPU buffer");
  process.exit(1);
}

function failAssertion() {
  process.stderr.write("/src/ggml/src/ggml.c:1234: GGML_ASSERT(a->ne[2] == b->ne[0]) failed\n");
  process.exit(134);
}

function sendError(response, code, message, type) {
  send(response, code, { error: { code, message, type } });
}

function send(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function log(level, text) {
  const ms = Math.round(performance.now() - startedAt);
  process.stderr.write(`0.0${Math.floor(ms / 1000) % 10}.${String(ms % 1000).padStart(3, "0")}.000 ${level} ${text}\n`);
}

function parseOptions(given) {
  const parsed = {};
  for (let at = 0; at < given.length; at++) {
    const option = given[at];
    if (SWITCHES.includes(option)) parsed[option] = true;
    else if (OPTIONS_WITH_VALUE.includes(option)) parsed[option] = given[++at];
    else {
      process.stderr.write(`error: invalid argument: ${option}\n`);
      process.exit(1);
    }
  }
  return parsed;
}
