#!/usr/bin/env node
// A stand-in for the command `vllm`, written from vLLM's documentation, the lines that its versions 0.9 to 0.30 log
// and the answers of version 0.20.
// It runs no model: every answer is "vLLM says hello". src/fake-vllm.ts lists its faults, which the `fake_vllm` field of
// the model's config.json asks for, so that they reach it whatever the environment is.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, createServer as createTcpServer } from "node:net";
import { join } from "node:path";

const OPTIONS_WITH_VALUE = [
  ...["--host", "--port", "--uds", "--api-key", "--served-model-name", "--max-model-len", "--gpu-memory-utilization"],
  ...["--revision", "--tool-call-parser", "--reasoning-parser", "--dtype", "--max-num-seqs"],
  ...["--pipeline-parallel-size", "--distributed-executor-backend", "--distributed-timeout-seconds"],
  ...["--nnodes", "--node-rank", "--master-addr", "--master-port"],
  ...["--tensor-parallel-size", "--quantization", "--kv-cache-dtype", "--max-num-batched-tokens"],
  "--scheduling-policy",
];
const SWITCHES = [
  ...["--enable-auto-tool-choice", "--disable-uvicorn-access-log", "--enforce-eager", "--no-enforce-eager"],
  ...["--enable-prefix-caching", "--no-enable-prefix-caching", "--headless"],
];
const TEXT = "vLLM says hello";

const [subcommand, model, ...rest] = process.argv.slice(2);
const options = parseOptions(rest);
if (subcommand !== "serve" || model === undefined) failArguments("expected: serve MODEL");
const name = options["--served-model-name"] ?? model;
const apiKey = options["--api-key"] ?? process.env.VLLM_API_KEY;
const config = readConfig();
const mode = config.fake_vllm ?? "works";

log("APIServer", `INFO 11-20 10:00:00 [api_server.py:1090] vLLM API server version 0.30.0, model ${model}`);
log("APIServer", `INFO 11-20 10:00:00 [utils.py:233] non-default args: ${JSON.stringify(options)}`);
if (config.architectures?.[0] === "UnknownForCausalLM") failArchitecture();
if (mode === "port_taken" || existsSync(options["--uds"] ?? "")) failAddress();
// vLLM runs the model in a separate process, which must end with it.
const core = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
log("EngineCore", `INFO 11-20 10:00:01 [core.py:84] engine core process ${core.pid}`);
if (mode === "out_of_memory" || (mode === "worker_fails" && options["--headless"])) failMemory();
if (mode === "ignores_sigterm") process.on("SIGTERM", () => {});
else process.on("SIGTERM", () => stop(0));
process.stderr.write("Loading safetensors checkpoint shards:   0% Completed | 0/2 [00:00<?, ?it/s]\r");
process.stderr.write("Loading safetensors checkpoint shards:  50% Completed | 1/2 [00:00<00:00,  1.87it/s]\r");
if (mode === "slow_start") await fileExists(join(model, "continue"));
process.stderr.write("Loading safetensors checkpoint shards: 100% Completed | 2/2 [00:01<00:00,  1.20it/s]\n");
if (mode === "hangs_at_start") await new Promise(() => setInterval(() => {}, 1000));
let isHanging = false;
const nodeCount = Number(options["--nnodes"] ?? 1);
if (options["--headless"]) await joinLeader();
else if (nodeCount > 1) await untilWorkersJoined();
createServer(handle).listen(options["--uds"] ?? Number(options["--port"] ?? 8000), () => {
  log("APIServer", "INFO 11-20 10:00:09 [launcher.py:29] Application startup complete.");
});

/** As vLLM's other nodes do: it serves nothing, and ends with the leader. */
async function joinLeader() {
  const rank = options["--node-rank"];
  while (true) {
    const socket = connect(Number(options["--master-port"] ?? 29501), options["--master-addr"]);
    const hasJoined = await new Promise((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    if (hasJoined) {
      socket.write(`${rank}\n`);
      log("Worker", `INFO 11-20 10:00:03 [parallel_state.py:1200] rank ${rank} of ${nodeCount} has joined`);
      socket.on("error", () => {});
      await new Promise((resolve) => socket.once("close", resolve));
      failWorker("the connection to the leader was closed");
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Resolves when all workers have connected, which the leader waits for before it loads the model. */
function untilWorkersJoined() {
  const joined = new Set();
  return new Promise((resolve) => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", (data) => {
        joined.add(String(data).trim());
        socket.once("close", () => failWorker(`rank ${String(data).trim()} is gone`));
        if (joined.size === nodeCount - 1) resolve();
      });
    });
    server.listen(Number(options["--master-port"] ?? 29501));
  });
}

function failWorker(text) {
  log("EngineCore_DP0", `ERROR 11-20 10:02:00 [multiproc_executor.py:230] Worker proc died unexpectedly: ${text}`);
  stop(1);
}

function handle(request, response) {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    if (isHanging) return;
    const { pathname } = new URL(request.url, "http://vllm");
    // As vLLM does it: only the calls below /v1 ask for the key.
    if (apiKey && pathname.startsWith("/v1") && request.headers.authorization !== `Bearer ${apiKey}`)
      return send(response, 401, { error: "Unauthorized" });
    if (pathname === "/health") return response.writeHead(200).end();
    if (pathname === "/v1/models") return send(response, 200, toModels());
    const body = JSON.parse(Buffer.concat(chunks).toString() || "{}");
    if (pathname === "/tokenize") return send(response, 200, toTokens(body.prompt ?? ""));
    if (pathname === "/v1/chat/completions") return answerChat(response, body);
    send(response, 404, { detail: "Not Found" });
  });
}

function answerChat(response, body) {
  if (mode === "crashes") return failEngine();
  if (mode === "hangs") {
    isHanging = true;
    return;
  }
  if (body.model !== name) {
    const message = `The model \`${body.model}\` does not exist.`;
    return send(response, 404, { error: { message, type: "NotFoundError", param: "model", code: 404 } });
  }
  if (body.priority && options["--scheduling-policy"] !== "priority") {
    const message = `Got priority ${body.priority} but Priority scheduling is not enabled.`;
    return send(response, 400, { error: { message, type: "BadRequestError", param: null, code: 400 } });
  }
  const base = { id: "chatcmpl-1", created: 1_780_000_000, model: name };
  const usage = { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 };
  if (body.stream !== true) {
    const choice = { index: 0, message: { role: "assistant", content: TEXT }, logprobs: null, finish_reason: "stop" };
    return send(response, 200, { ...base, object: "chat.completion", choices: [choice], usage });
  }
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  if (lacksTokens()) return failParser(response);
  const chunk = (fields) =>
    response.write(`data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", ...fields })}\n\n`);
  chunk({ choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }] });
  chunk({ choices: [{ index: 0, delta: { content: TEXT }, finish_reason: null }] });
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  if (body.stream_options?.include_usage) chunk({ choices: [], usage });
  response.end("data: [DONE]\n\n");
}

/** vLLM makes the parser of tool calls for each stream, also where no tools are given; this one needs a token. */
function lacksTokens() {
  if (options["--tool-call-parser"] !== "llama3_json") return false;
  const file = join(model, "tokenizer.json");
  return !existsSync(file) || !readFileSync(file, "utf8").includes("<|python_tag|>");
}

function failParser(response) {
  const message = "Llama3JsonToolParser could not locate the bot token '<|python_tag|>' in the tokenizer.";
  const error = { message, type: "InternalServerError", param: null, code: 500 };
  response.end(`data: ${JSON.stringify({ error })}\n\ndata: [DONE]\n\n`);
}

function toModels() {
  const max_model_len = Number(options["--max-model-len"] ?? config.max_position_embeddings ?? 2048);
  const entry = { id: name, object: "model", created: 1_780_000_000, owned_by: "vllm", root: model, parent: null };
  return { object: "list", data: [{ ...entry, max_model_len, permission: [] }] };
}

function toTokens(prompt) {
  const tokens = [...prompt].map((character) => character.codePointAt(0));
  return { count: tokens.length, max_model_len: Number(options["--max-model-len"] ?? 2048), tokens };
}

function send(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function failMemory() {
  const lines = [
    "EngineCore failed to start.",
    "Traceback (most recent call last):",
    '  File "/opt/vllm/v1/worker/gpu_worker.py", line 180, in init_device',
    "ValueError: Free memory on device (3.22/79.15 GiB) on startup is less than desired GPU memory utilization (0.9, 71.24 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.",
  ];
  for (const line of lines) log("EngineCore_DP0", `ERROR 11-20 10:00:05 [core.py:718] ${line}`);
  failStart();
}

function failStart() {
  log("APIServer", "Traceback (most recent call last):");
  log("APIServer", "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}");
  stop(1);
}

function failEngine() {
  log("EngineCore_DP0", "ERROR 11-20 10:01:00 [core.py:710] EngineCore encountered a fatal error.");
  log(
    "EngineCore_DP0",
    "ERROR 11-20 10:01:00 [core.py:710] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB.",
  );
  log(
    "APIServer",
    "vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause.",
  );
  stop(1);
}

function failArchitecture() {
  log("APIServer", "pydantic_core._pydantic_core.ValidationError: 1 validation error for ModelConfig");
  log(
    "APIServer",
    "  Value error, Model architectures ['UnknownForCausalLM'] are not supported for now. Supported architectures: dict_keys(['LlamaForCausalLM']) [type=value_error, input_value=ArgsKwargs((), {}), input_type=ArgsKwargs]",
  );
  log("APIServer", "    For further information visit https://errors.pydantic.dev/2.13/v/value_error");
  process.exit(1);
}

function failAddress() {
  log("APIServer", "OSError: [Errno 98] Address already in use");
  process.exit(1);
}

function failArguments(text) {
  process.stderr.write(`usage: vllm serve [model_tag] [options]\nvllm serve: error: ${text}\n`);
  process.exit(2);
}

function stop(status) {
  core.kill("SIGKILL");
  process.exit(status);
}

function parseOptions(words) {
  const parsed = {};
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (SWITCHES.includes(word)) parsed[word] = true;
    else if (OPTIONS_WITH_VALUE.includes(word)) parsed[word] = words[++index];
    else failArguments(`unrecognized arguments: ${word}`);
  }
  return parsed;
}

function readConfig() {
  const file = join(model, "config.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

function log(processName, text) {
  process.stderr.write(`(${processName} pid=${process.pid}) ${text}\n`);
}

async function fileExists(file) {
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
}
