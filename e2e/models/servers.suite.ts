import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseEvents } from "@feather/testing/chat-events";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signInAsAdmin } from "../support/accounts.ts";
import { type Platform, startPlatform } from "../support/platform.ts";
import { fetchModel } from "./fetch-model.ts";
import { REAL_MODELS } from "./real-models.ts";
import type { ServerCommand } from "./servers/install.ts";
import { installLiteLlm, LITELLM_KEY, startLiteLlm } from "./servers/litellm.ts";
import { installLlamaServer, startLlamaServer } from "./servers/llama-server.ts";
import { createOllamaModel, installOllama, readToolTemplate, startOllama } from "./servers/ollama.ts";
import type { RealServer } from "./servers/process.ts";

/** The context of llama-server in tokens, which its two slots halve. */
const CONTEXT = 1024;
const SLOT_CONTEXT = CONTEXT / 2;
/** Tokens of an answer that is left before its end. */
const LONG_ANSWER = 400;
/** The context of the model in Ollama that has a `num_ctx`. */
const SMALL_CONTEXT = 256;
const PARAMETERS = 134_515_008;
const [SMALLEST = expect.unreachable("There is no model.")] = REAL_MODELS;

/** Returns how a server is started; null, after printing why, where it cannot be had on this machine. */
async function tryInstall(name: string, install: () => Promise<ServerCommand>): Promise<ServerCommand | null> {
  try {
    return await install();
  } catch (error) {
    console.warn(`${name} is not tested, because it cannot be installed here: ${String(error)}`);
    return null;
  }
}
const llamaServer = await tryInstall("llama-server", installLlamaServer);
const ollama = await tryInstall("Ollama", installOllama);
const liteLlm = await tryInstall("LiteLLM", installLiteLlm);

const folder = mkdtempSync(join(tmpdir(), "feather-servers-"));
const servers = new Map<string, RealServer>();
let platform: Platform;
let admin: Awaited<ReturnType<typeof signInAsAdmin>>["feather"];
let key = "";
let listed: ReadonlyMap<string, Listed>;

type Listed = {
  id: string;
  context_length: number | null;
  parameter_size: number | null;
  supported_parameters: string[];
};
/** A slot of llama-server. Its prompt holds what has been generated so far, too. */
type Slot = { is_processing: boolean; n_prompt_tokens?: number };
type Answer = {
  choices: { message: { content: string }; text: string; finish_reason: string }[];
  usage: object;
  data: { embedding: number[] }[];
  tokens: number[];
  error: { code: string; param: string | null; message: string };
};

beforeAll(async () => {
  const file = await fetchModel(SMALLEST);
  if (llamaServer) await startLlamaServers(llamaServer, file);
  if (ollama) await startOllamaWithModels(ollama, file);
  const llama = servers.get("llama");
  if (liteLlm && llama)
    servers.set("litellm", await startLiteLlm(liteLlm, folder, `${llama.url}/v1`, { alias: "smollm2" }));
  const backends = [...servers].map(([name, { url }]) => ({ name, base_url: `${url}/v1`, api_key: LITELLM_KEY }));
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  for (const each of [folder, dataDir]) chmodSync(each, 0o711); // the database runs as another user
  platform = await startPlatform(dataDir, { FEATHER_BACKENDS: JSON.stringify(backends) });
  admin = (await signInAsAdmin(platform.baseUrl)).feather;
  key = (await admin.apiKeys.create({ name: "servers" })).secret;
  listed = await waitFor(readModels);
});
afterAll(async () => {
  platform.process.kill("SIGTERM");
  await platform.ended;
  for (const server of [...servers.values()].reverse()) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function startLlamaServers(command: ServerCommand, file: string): Promise<void> {
  const model = ["--model", file, "--alias", "smollm2"];
  const slots = ["--ctx-size", String(CONTEXT), "--parallel", "2", "--no-kv-unified"];
  servers.set("llama", await startLlamaServer(command, [...model, ...slots]));
  servers.set("embedder", await startLlamaServer(command, [...model, "--embeddings", "--pooling", "mean"]));
  const models = join(folder, "models");
  mkdirSync(models);
  symlinkSync(file, join(models, basename(file)));
  servers.set("router", await startLlamaServer(command, ["--models-dir", models, "--ctx-size", String(CONTEXT)]));
}

async function startOllamaWithModels(command: ServerCommand, file: string): Promise<void> {
  const home = join(folder, "ollama");
  mkdirSync(home);
  const env = { ...command.env, OLLAMA_NUM_PARALLEL: "1", OLLAMA_CONTEXT_LENGTH: "2048" };
  const server = await startOllama({ ...command, env }, home);
  servers.set("ollama", server);
  await createOllamaModel(command, server, home, "smollm2", { file });
  await createOllamaModel(command, server, home, "thinker", { file, lines: readToolTemplate() });
  await createOllamaModel(command, server, home, "small", { file, lines: [`PARAMETER num_ctx ${SMALL_CONTEXT}`] });
}

/** Returns the models in the list for callers, by their ids. Throws while a server's models are missing. */
async function readModels(): Promise<ReadonlyMap<string, Listed>> {
  const response = await fetch(`${platform.baseUrl}/api/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await response.json()) as { data: Listed[] };
  for (const name of servers.keys()) expect(data.map(({ id }) => id.split("/")[0])).toContain(name);
  return new Map(data.map((model) => [model.id, model]));
}

function open(path: string, body: object, signal: AbortSignal | null = null): Promise<Response> {
  return fetch(`${platform.baseUrl}/api/v1/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
    signal,
  });
}

/** What a call was answered. `ignored` are the fields that were named as having no effect. */
type Called = { status: number; answer: Answer; text: string; ignored: string[] };

async function call(path: string, body: object): Promise<Called> {
  const response = await open(path, body);
  const text = await response.text();
  const ignored = response.headers.get("x-ignored-params")?.split(", ") ?? [];
  return { status: response.status, answer: JSON.parse(text), text, ignored };
}

const chat = (model: string, more: object = {}) => ({
  model,
  messages: [{ role: "user", content: "The capital of France?" }],
  temperature: 0,
  max_tokens: 12,
  ...more,
});
/** A text that goes on for as long as it may. */
const endless = (model: string, more: object = {}) => ({
  model,
  prompt: "One, two, three, four,",
  stream: true,
  max_tokens: LONG_ANSWER,
  ...more,
});

/** Returns the text, the reason of the end and the usage of a streamed chat completion. */
async function readStream(body: object) {
  const response = await open("chat/completions", { ...body, stream: true, stream_options: { include_usage: true } });
  const events = parseEvents(await response.text());
  expect(events.at(-1)).toBe("[DONE]");
  const read = { content: "", reasons: [] as string[], usage: {} };
  for (const event of events.slice(0, -1)) {
    const { choices, usage } = JSON.parse(event) as {
      choices: { delta: { content?: string }; finish_reason: string | null }[];
      usage?: object | null;
    };
    if (usage) read.usage = usage;
    for (const { delta, finish_reason } of choices) {
      read.content += delta.content ?? "";
      if (finish_reason !== null) read.reasons.push(finish_reason);
    }
  }
  return read;
}

/** Reads the first part of a long answer, and leaves. */
async function leaveInTheMiddle(body: object): Promise<void> {
  const caller = new AbortController();
  const response = await open("completions", body, caller.signal);
  await response.body?.getReader().read();
  caller.abort();
}

const backend = async (name: string) => (await admin.admin.backends.list()).items.find((each) => each.name === name);
const norm = (vector: readonly number[] = []) => Math.hypot(...vector);

/** What is the same at every server that answers chats. */
function testChats(model: string): void {
  test("a chat gives the same text and usage streamed and in one piece", async () => {
    const { status, answer, text } = await call("chat/completions", chat(model));
    expect(status, text).toBe(200);
    const [choice] = answer.choices;
    expect(choice?.message.content).toMatch(/France|Paris/);
    const streamed = await readStream(chat(model));
    expect(streamed.content).toBe(choice?.message.content);
    expect(streamed.reasons).toEqual([choice?.finish_reason]);
    const { prompt_tokens, completion_tokens } = answer.usage as Record<string, number>;
    expect(streamed.usage).toMatchObject({ prompt_tokens, completion_tokens });
    expect(prompt_tokens).toBeGreaterThan(0);
  });

  test("an answer that reaches its limit says so", async () => {
    const { answer } = await call("chat/completions", chat(model, { max_tokens: 3 }));
    expect(answer.choices[0]?.finish_reason).toBe("length");
    expect(answer.usage).toMatchObject({ completion_tokens: 3 });
  });

  test("two answers to one chat are given, or what asks for them is named as ignored or refused", async () => {
    const { status, answer, ignored } = await call("chat/completions", chat(model, { n: 2 }));
    if (status !== 200) expect(answer.error).toMatchObject({ code: "unsupported_parameter", param: "n" });
    else expect(answer.choices).toHaveLength(ignored.includes("n") ? 1 : 2);
  });

  test("a caller who leaves in the middle of an answer leaves the server free for the next one", async () => {
    await leaveInTheMiddle(endless(model));
    const { status, text } = await call("chat/completions", chat(model));
    expect(status, text).toBe(200);
  });
}

function testLongPrompt(model: string, tokens: number): void {
  test("a prompt that is longer than the context is refused as such", async () => {
    const messages = [{ role: "user", content: "word ".repeat(tokens) }];
    const { status, answer } = await call("chat/completions", chat(model, { messages }));
    expect([status, answer.error]).toMatchObject([400, { code: "context_length_exceeded", param: "messages" }]);
  });
}

describe.skipIf(llamaServer === null)("llama-server", () => {
  test("is listed with its size and with the context of one slot", () => {
    expect(listed.get("llama/smollm2")).toMatchObject({
      parameter_size: PARAMETERS,
      context_length: SLOT_CONTEXT,
      max_model_len: SLOT_CONTEXT,
    });
  });

  testChats("llama/smollm2");
  testLongPrompt("llama/smollm2", 2 * SLOT_CONTEXT);

  test("generates nothing more for a caller who has left", async () => {
    await leaveInTheMiddle(endless("llama/smollm2", { ignore_eos: true }));
    const slots = await waitFor(async () => {
      const found = (await (await fetch(`${servers.get("llama")?.url}/slots`)).json()) as Slot[];
      expect(found.map(({ is_processing }) => is_processing)).toEqual([false, false]);
      return found;
    });
    for (const { n_prompt_tokens: held = 0 } of slots) expect(held).toBeLessThan(LONG_ANSWER);
  });

  test("an effort of reasoning is no error", async () => {
    const { status, text } = await call("chat/completions", chat("llama/smollm2", { reasoning_effort: "low" }));
    expect(status, text).toBe(200);
  });

  test("refuses embeddings without --embeddings, and stays healthy", async () => {
    for (let count = 0; count < 4; count++) {
      const { status, answer } = await call("embeddings", { model: "llama/smollm2", input: "A text" });
      expect([status, answer.error.message]).toEqual([400, expect.stringContaining("no embeddings")]);
    }
    expect((await backend("llama"))?.state).toBe("healthy");
  });

  test("gives embeddings of length 1 with --embeddings", async () => {
    const { status, answer, text } = await call("embeddings", { model: "embedder/smollm2", input: ["A text", "Two"] });
    expect(status, text.slice(0, 300)).toBe(200);
    for (const { embedding } of answer.data) expect(norm(embedding)).toBeCloseTo(1, 3);
    expect(answer.data).toHaveLength(2);
  });

  test("splits a text into tokens, and takes the name of a special token in it for text", async () => {
    const { status, answer, text } = await call("tokenize", { model: "llama/smollm2", text: "Hi<|im_end|>" });
    expect(status, text).toBe(200);
    expect(answer.tokens.length).toBeGreaterThan(3);
  });

  test("as a router: lists a model with its size and context before it is loaded, and a call loads it", async () => {
    const model = [...listed.values()].find(({ id }) => id.startsWith("router/"));
    expect(model).toMatchObject({ parameter_size: expect.any(Number), context_length: CONTEXT });
    const { status, text } = await call("chat/completions", chat(model?.id ?? ""));
    expect(status, text).toBe(200);
  });
});

describe.skipIf(ollama === null)("Ollama", () => {
  test("is listed with its sizes, and with the contexts of its models as far as they are known", () => {
    expect(listed.get("ollama/smollm2:latest")?.parameter_size).toBeCloseTo(PARAMETERS, -5);
    expect(listed.get("ollama/smollm2:latest")?.context_length).toBeNull();
    expect(listed.get("ollama/small:latest")).toMatchObject({ context_length: SMALL_CONTEXT });
  });

  testChats("ollama/smollm2:latest");
  testLongPrompt("ollama/small:latest", 2 * SMALL_CONTEXT);

  test("lists no parameters that it ignores", () => {
    const names = listed.get("ollama/smollm2:latest")?.supported_parameters;
    expect(names).toContain("temperature");
    for (const ignored of ["logit_bias", "min_tokens", "stop_token_ids", "top_k"]) expect(names).not.toContain(ignored);
  });

  test("refuses an effort of reasoning by the name of the field, for a model that does not think", async () => {
    const { status, answer } = await call(
      "chat/completions",
      chat("ollama/smollm2:latest", { reasoning_effort: "low" }),
    );
    expect([status, answer.error]).toMatchObject([400, { param: "reasoning_effort" }]);
  });

  test.each([{ reasoning_effort: "none" }, { think: true }, { think: false }])(
    "a model that thinks answers with %j",
    async (more) => {
      const { status, text } = await call("chat/completions", chat("ollama/thinker:latest", more));
      expect(status, text).toBe(200);
    },
  );

  // Ollama 0.17.4 takes efforts other than "none" from gpt-oss alone: think value "low" is not supported for this model.
  test.each(["minimal", "low", "high"])(
    "takes the effort %s, or refuses it by the name of the field",
    async (effort) => {
      const { status, answer } = await call(
        "chat/completions",
        chat("ollama/thinker:latest", { reasoning_effort: effort }),
      );
      if (status !== 200) expect([status, answer.error]).toMatchObject([400, { param: "reasoning_effort" }]);
    },
  );

  test("gives embeddings of length 1", async () => {
    const { status, answer, text } = await call("embeddings", { model: "ollama/smollm2:latest", input: "A text" });
    expect(status, text.slice(0, 300)).toBe(200);
    expect(norm(answer.data[0]?.embedding)).toBeCloseTo(1, 3);
  });

  test("splits no texts into tokens", async () => {
    const { status, answer } = await call("tokenize", { model: "ollama/smollm2:latest", text: "Hi" });
    expect([status, answer.error.code]).toEqual([400, "unsupported_parameter"]);
  });
});

describe.skipIf(liteLlm === null || llamaServer === null)("LiteLLM's proxy in front of llama-server", () => {
  test("is listed without a size and a context, which it does not tell", () => {
    expect(listed.get("litellm/alias")).toMatchObject({ parameter_size: null, context_length: null });
  });

  testChats("litellm/alias");
  testLongPrompt("litellm/alias", 2 * SLOT_CONTEXT);
});

describe.skipIf(llamaServer === null)("a llama-server that is killed in the middle of an answer", () => {
  test("ends the answer with an error event, is reported to the next caller, and is used again once it runs", async () => {
    const running = servers.get("llama");
    const file = await fetchModel(SMALLEST);
    const response = await open("completions", endless("llama/smollm2"));
    const reader = response.body?.getReader();
    let text = new TextDecoder().decode((await reader?.read())?.value);
    running?.process.kill("SIGKILL");
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      text += new TextDecoder().decode(part.value);
    expect(JSON.parse(parseEvents(text).at(-1) ?? "")).toMatchObject({ error: { code: "upstream_error" } });
    expect((await call("chat/completions", chat("llama/smollm2"))).status).toBe(502);
    const port = Number(new URL(running?.url ?? "").port);
    if (llamaServer)
      servers.set("llama", await startLlamaServer(llamaServer, ["--model", file, "--alias", "smollm2"], port));
    await waitFor(async () => expect((await call("chat/completions", chat("llama/smollm2"))).status).toBe(200));
  });
});
