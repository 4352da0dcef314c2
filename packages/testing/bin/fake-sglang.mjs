#!/usr/bin/env node
// A stand-in for the command `sglang`, written from SGLang's documentation and source of 2026. It runs no model: every answer
// is "SGLang says hello". It takes the models and faults of src/fake-vllm.ts that its own tests need.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const OPTIONS_WITH_VALUE = [
  ...["--model-type", "--model-path", "--config", "--served-model-name", "--host", "--port", "--context-length"],
  ...["--max-total-tokens", "--tool-call-parser", "--reasoning-parser", "--log-level-http"],
];
const SWITCHES = ["--enable-priority-scheduling", "--schedule-low-priority-values-first"];
const TEXT = "SGLang says hello";

const [subcommand, ...rest] = process.argv.slice(2);
const options = parseOptions(rest);
if (subcommand !== "serve" || !options["--model-path"])
  failArguments("the following arguments are required: --model-path");
const model = options["--model-path"];
const name = options["--served-model-name"] ?? model;
const apiKey = /^api-key: "(.+)"$/m.exec(readFileSync(options["--config"] ?? "/dev/null", "utf8"))?.[1] ?? null;
const config = JSON.parse(readFileSync(join(model, "config.json"), "utf8"));
const mode = config.fake_vllm ?? "works";
let isHanging = false;

log(`server_args=ServerArgs(model_path='${model}', api_key='${apiKey}')`);
if (config.architectures?.[0] === "UnknownForCausalLM") failArchitecture();
// SGLang runs the model in a separate process, which must end with it.
const scheduler = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
process.on("SIGTERM", () => stop(0));
log("Load weight begin. avail mem=78.58 GB");
process.stderr.write("Loading safetensors checkpoint shards:  50% Completed | 1/2 [00:00<00:00,  1.87it/s]\r");
if (mode === "slow_start") while (!existsSync(join(model, "continue"))) await new Promise((go) => setTimeout(go, 20));
process.stderr.write("Loading safetensors checkpoint shards: 100% Completed | 2/2 [00:01<00:00,  1.20it/s]\n");
if (mode === "out_of_memory") failMemory();
createServer(handle).listen(Number(options["--port"] ?? 30_000), options["--host"] ?? "127.0.0.1", () => {
  log("The server is fired up and ready to roll!");
});

function handle(request, response) {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    if (isHanging) return;
    const { pathname } = new URL(request.url, "http://sglang");
    if (pathname.startsWith("/health")) return response.writeHead(200).end();
    if (apiKey !== null && request.headers.authorization !== `Bearer ${apiKey}`)
      return send(response, 401, { error: "Unauthorized" });
    if (pathname === "/v1/models")
      return send(response, 200, {
        object: "list",
        data: [{ id: name, owned_by: "sglang", max_model_len: Number(options["--context-length"]) }],
      });
    if (pathname === "/v1/chat/completions")
      return answerChat(response, JSON.parse(Buffer.concat(chunks).toString() || "{}"));
    send(response, 404, { detail: "Not Found" });
  });
}

function answerChat(response, { stream, stream_options }) {
  if (mode === "crashes") return failMemory();
  if (mode === "hangs") {
    isHanging = true;
    return;
  }
  const base = { id: "1", created: 1_780_000_000, model: name };
  const usage = { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 };
  if (stream !== true) {
    const choice = { index: 0, message: { role: "assistant", content: TEXT }, finish_reason: "stop" };
    return send(response, 200, { ...base, object: "chat.completion", choices: [choice], usage });
  }
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const chunk = (fields) =>
    response.write(`data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", ...fields })}\n\n`);
  chunk({ choices: [{ index: 0, delta: { role: "assistant", content: TEXT }, finish_reason: null }] });
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  if (stream_options?.include_usage) chunk({ choices: [], usage });
  response.end("data: [DONE]\n\n");
}

function failArchitecture() {
  const names = "Supported architectures: dict_keys(['LlamaForCausalLM', 'Qwen2ForCausalLM'])";
  log("Scheduler hit an exception: Traceback (most recent call last):");
  process.stderr.write(`ValueError: Model architectures ['UnknownForCausalLM'] are not supported for now. ${names}\n`);
  log("Received sigquit from a child process. It usually means the child failed.");
  process.exit(1);
}

function failMemory() {
  log("Scheduler hit an exception: Traceback (most recent call last):");
  process.stderr.write("RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.\n");
  log("Received sigquit from a child process. It usually means the child failed.");
  stop(1);
}

function failArguments(text) {
  process.stderr.write(`usage: sglang serve [-h] --model-path MODEL_PATH\nsglang serve: error: ${text}\n`);
  process.exit(2);
}

function stop(code) {
  scheduler.kill("SIGKILL");
  process.exit(code);
}

function send(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function log(text) {
  process.stderr.write(`[2026-11-20 10:00:00] ${text}\n`);
}

function parseOptions(given) {
  const parsed = {};
  for (let at = 0; at < given.length; at++) {
    const word = given[at];
    if (SWITCHES.includes(word)) parsed[word] = true;
    else if (OPTIONS_WITH_VALUE.includes(word)) parsed[word] = given[++at];
    else failArguments(`unrecognized arguments: ${word}`);
  }
  return parsed;
}
