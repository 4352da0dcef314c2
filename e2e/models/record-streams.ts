/**
 * Records what a real server of models sends for streamed calls, into `packages/testing/recordings`: from the repository's
 * root, `npx node e2e/models/record-streams.ts SERVER` (with the Node of the workspace), where SERVER is `llama-server`,
 * `ollama` or `litellm`. The server is installed as for `npm run test:models`. Behind LiteLLM's proxy is the fake backend
 * of the tests.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFakeUpstream, type UpstreamScript } from "@feather/testing/fake-upstream";
import { fetchModel } from "./fetch-model.ts";
import { REAL_MODELS } from "./real-models.ts";
import { installLiteLlm, LITELLM_KEY, startLiteLlm } from "./servers/litellm.ts";
import { installLlamaServer, startLlamaServer, TOOL_TEMPLATE } from "./servers/llama-server.ts";
import { createOllamaModel, installOllama, listRunners, readToolTemplate, startOllama } from "./servers/ollama.ts";
import type { RealServer } from "./servers/process.ts";

type Call = { path: string; body: object };

const RECORDINGS = new URL("../../packages/testing/recordings/", import.meta.url);
const MODEL = "smollm2";
const [SMALLEST] = REAL_MODELS;
/** Tokens of the whole context of a server that is to run out of it. */
const TINY_CONTEXT = 256;
const WEATHER = {
  name: "weather",
  description: "Tells the weather.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const question = { role: "user", content: "How is the weather in Oslo?" };
const callOf = (id: string) => ({
  id,
  type: "function",
  function: { name: WEATHER.name, arguments: '{"city":"Oslo"}' },
});
/** A small model calls a tool if it has done so again and again. */
const earlierCalls = ["a", "b", "c", "d"].flatMap((id) => [
  {
    role: "assistant",
    reasoning_content: "Hm.",
    reasoning: "Hm.",
    content: "Let me see.",
    tool_calls: [callOf(id)],
  },
  { role: "tool", tool_call_id: id, content: "No answer, try again." },
]);
const chat = (body: object): Call => ({ path: "chat/completions", body });
const CALLS: Readonly<Record<string, Call>> = {
  text: chat({ messages: [{ role: "user", content: "The capital of France?" }], stop: ["."] }),
  length: chat({ messages: [{ role: "user", content: "Count to ten." }], max_tokens: 4 }),
  tools: chat({ messages: [question, ...earlierCalls], tools: [{ type: "function", function: WEATHER }] }),
  completion: { path: "completions", body: { prompt: "Rome is the capital of", stop: ["."], max_tokens: 8 } },
};
const COUNT: Call = { path: "completions", body: { prompt: "One, two, three, four,", max_tokens: 2 * TINY_CONTEXT } };

const toolCall = (index: number, more: object) => ({ tool_calls: [{ index, ...more }] });
const LITELLM_SCRIPTS: Readonly<Record<string, UpstreamScript>> = {
  text: { tokens: ["Hel", "lo", "!"] },
  length: { tokens: ["Hel"], finishReason: "length" },
  tools: {
    deltas: [
      { content: "Let me see." },
      toolCall(0, { id: "call_a", type: "function", function: { name: "weather", arguments: "" } }),
      toolCall(0, { function: { arguments: '{"city":' } }),
      toolCall(0, { function: { arguments: '"Oslo"}' } }),
      toolCall(1, { id: "call_b", type: "function", function: { name: "weather", arguments: '{"city":"Bergen"}' } }),
    ],
    finishReason: "tool_calls",
  },
  completion: { tokens: ["Hel", "lo", "!"] },
  error: { tokens: ["Hel", "lo", "!"], fault: { kind: "error event", after: 2 } },
};

const recorders: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  "llama-server": recordLlamaServer,
  ollama: recordOllama,
  litellm: recordLiteLlm,
};
const server = process.argv[2] ?? "";
const recorder = recorders[server];
if (!recorder) throw new Error(`Name one of ${Object.keys(recorders).join(", ")}.`);
const folder = mkdtempSync(join(tmpdir(), "recording-"));
try {
  await recorder(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function recordLlamaServer(): Promise<void> {
  const command = await installLlamaServer();
  const model = ["--model", await fetchSmallest(), "--alias", MODEL];
  const running = await startLlamaServer(command, [
    ...model,
    "--ctx-size",
    "1024",
    "--chat-template-file",
    TOOL_TEMPLATE,
  ]);
  await recordCalls(running, CALLS).finally(running.stop);
  // Two slots share the context, which the answers of both exceed together.
  const shared = ["--parallel", "2", "--kv-unified", "--ctx-size", String(TINY_CONTEXT)];
  const tiny = await startLlamaServer(command, [...model, ...shared]);
  try {
    const filling = await open(tiny, {
      ...COUNT,
      body: { ...COUNT.body, prompt: "one, ".repeat(100), ignore_eos: true },
    });
    await filling.body?.getReader().read();
    await recordCall(tiny, "error", COUNT);
  } finally {
    await tiny.stop();
  }
}

async function recordOllama(into: string): Promise<void> {
  const command = await installOllama();
  const running = await startOllama(command, into);
  try {
    const file = await fetchSmallest();
    await createOllamaModel(command, running, into, MODEL, { file, lines: readToolTemplate() });
    await recordCalls(running, CALLS);
    const count = chat({ messages: [{ role: "user", content: "Count to one hundred." }], max_tokens: TINY_CONTEXT });
    await recordCall(running, "error", count, () => {
      for (const id of listRunners(running)) process.kill(id, "SIGKILL");
    });
  } finally {
    await running.stop();
  }
}

async function recordLiteLlm(into: string): Promise<void> {
  const upstream = await startFakeUpstream();
  for (const [name, script] of Object.entries(LITELLM_SCRIPTS)) upstream.scripts.set(name, script);
  const modelByAlias = Object.fromEntries(Object.keys(LITELLM_SCRIPTS).map((name) => [name, name]));
  const running = await startLiteLlm(await installLiteLlm(), into, upstream.baseUrl, modelByAlias);
  const calls = { ...CALLS, error: chat({ messages: [question] }) };
  const named = Object.entries(calls).map(([name, call]) => [name, { ...call, body: { ...call.body, model: name } }]);
  try {
    await recordCalls(running, Object.fromEntries(named));
  } finally {
    await running.stop();
    await upstream.close();
  }
}

async function fetchSmallest(): Promise<string> {
  if (!SMALLEST) throw new Error("There is no model.");
  return fetchModel(SMALLEST);
}

async function recordCalls(running: RealServer, calls: Readonly<Record<string, Call>>): Promise<void> {
  for (const [name, call] of Object.entries(calls)) await recordCall(running, name, call);
}

/** Writes the whole stream that a server sends for a call. `onFirst` is called when its first bytes have arrived. */
async function recordCall(running: RealServer, name: string, call: Call, onFirst: () => void = () => {}) {
  const { body } = await open(running, call);
  const parts: Uint8Array[] = [];
  for await (const part of body ?? []) {
    if (parts.length === 0) onFirst();
    parts.push(part);
  }
  writeFileSync(new URL(`${server}-${name}.sse`, RECORDINGS), Buffer.concat(parts));
}

async function open({ url }: RealServer, { path, body }: Call): Promise<Response> {
  const response = await fetch(`${url}/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${LITELLM_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: MODEL,
      max_tokens: 60,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
      ...body,
    }),
  });
  if (!response.ok) throw new Error(`${server} answered ${response.status}: ${await response.text()}`);
  return response;
}
