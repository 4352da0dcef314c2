import { once } from "node:events";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { formatEvent } from "./chat-events.ts";
import { startHttpServer } from "./http-server.ts";

/** How an answer fails. `after` is the number of tokens sent before. */
export type UpstreamFault =
  | { kind: "refuse"; status: number; body?: unknown }
  | { kind: "reset"; after: number }
  | { kind: "hang up"; after: number }
  | { kind: "half frame"; after: number }
  | { kind: "half character"; after: number }
  | { kind: "stall"; after: number }
  | { kind: "error event"; after: number }
  /** The response ends without a finish reason and without the last event. */
  | { kind: "no finish reason" }
  /** Status 200, then the connection is reset. */
  | { kind: "reset after headers" }
  /** The answer is complete, but the connection stays open. */
  | { kind: "stays open" }
  | { kind: "wrong json"; after: number };

/** How the fake backend answers. */
export type UpstreamScript = {
  tokens?: string[];
  /** Milliseconds before the first byte. */
  thinkMs?: number;
  /** The first byte is not sent before this resolves. */
  thinkUntil?: Promise<void>;
  /** In a stream, nothing is sent after the first token before this resolves. */
  pauseUntil?: Promise<void>;
  /** Milliseconds between tokens. */
  delayMs?: number;
  /** The reported usage; null for a backend that reports none. */
  usage?: object | null | ((body: Record<string, unknown>) => object | null);
  /** Computes the answer from the body of the request. */
  reply?: (body: Record<string, unknown>) => Omit<UpstreamScript, "reply" | "usage">;
  /** Deltas of the first choice, instead of those of `tokens`. */
  deltas?: object[];
  /** The message of a buffered answer, instead of that of `tokens`. */
  message?: object;
  finishReason?: string;
  /** Splits or replaces the bytes of a stream. */
  encodeText?: (text: string) => (string | Uint8Array)[];
  /** Embedding vectors, of which as many are sent as there are inputs. */
  vectors?: number[][];
  /** Returns the embedding vector of a text; used instead of `vectors`. */
  embed?: (text: string) => number[] | Promise<number[]>;
  /** The response of `/tokenize`. */
  tokenIds?: number[];
  /** Headers of the response, whatever it is. */
  headers?: Record<string, string>;
  /** The complete answer to calls of models; the other fields of the answer are then ignored. */
  rawAnswer?: { contentType: string; body: string };
  /** The parts of a spoken text. `pauseUntil` follows the first one; faults count the parts. */
  sound?: { parts: readonly (string | Uint8Array)[]; contentType?: string };
  fault?: UpstreamFault;
};

/** A call that the fake backend received; `text` is its body as it came. The fields of a form are `body`. */
export type RecordedCall = { path: string; body: Record<string, unknown>; text: string; headers: IncomingHttpHeaders };

/** Size of each model, as llama-server reports it. */
const PARAMETERS = 1e9;
const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10, prompt_tokens_details: { cached_tokens: 2 } };

/**
 * Starts an OpenAI-compatible backend that answers as scripted, by the requested model. It lists `models`, none by
 * default, and listens at an address of this machine.
 */
export async function startFakeUpstream(script: UpstreamScript = {}, models: readonly string[] = [], host?: string) {
  const scripts = new Map<string, UpstreamScript>();
  const recordedRequests: RecordedCall[] = [];
  const cancelled: { model: string; at: number }[] = [];
  let active = 0;
  let peak = 0;

  const server = await startHttpServer(async ({ method, url, headers, body: text }, response, _count, bytes) => {
    if (method === "GET")
      return sendJson(response, {
        object: "list",
        data: models.map((id) => ({ id, object: "model", meta: { n_params: PARAMETERS } })),
      });
    const type = headers["content-type"] ?? "";
    const body = type.startsWith("multipart/") ? await parseForm(bytes, type) : (JSON.parse(text) as Fields);
    const model = String(body.model);
    recordedRequests.push({ path: url, body, text, headers });
    active += 1;
    peak = Math.max(peak, active);
    const disconnected = new AbortController();
    response.on("close", () => {
      active -= 1;
      if (!response.writableFinished) cancelled.push({ model, at: Date.now() });
      disconnected.abort();
    });
    const current = scripts.get(model) ?? script;
    await sendAnswer(url, response, body, evaluate(current, body), disconnected.signal);
  }, host);

  return {
    baseUrl: `${server.url}/v1`,
    /** Scripts by upstream model name; the initial one is the default. */
    scripts,
    recordedRequests,
    /** Answers whose caller disconnected, with the time in milliseconds. */
    cancelled,
    active: () => active,
    peak: () => peak,
    openSockets: () => server.openConnections,
    close: server.close,
  };
}

type Fields = Record<string, unknown>;

/** Returns the fields of a form; a name that ends with `[]` has a list, and a file is a `File`. */
async function parseForm(bytes: Buffer, type: string): Promise<Fields> {
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  const names = [...new Set(form.keys())];
  return Object.fromEntries(names.map((name) => [name, name.endsWith("[]") ? form.getAll(name) : form.get(name)]));
}

/** A running fake backend. */
export type FakeUpstream = Awaited<ReturnType<typeof startFakeUpstream>>;

/** A script for one request. */
type CurrentScript = Omit<UpstreamScript, "usage" | "reply"> & { usage?: object | null };

/** Returns the script for a request, with the parts that depend on its body. */
function evaluate({ usage, reply, ...script }: UpstreamScript, body: Record<string, unknown>): CurrentScript {
  const current = typeof usage === "function" ? usage(body) : usage;
  return { ...script, ...reply?.(body), ...(current !== undefined && { usage: current }) };
}
async function sendAnswer(
  path: string,
  response: ServerResponse,
  body: Record<string, unknown>,
  script: CurrentScript,
  disconnected: AbortSignal,
): Promise<void> {
  await script.thinkUntil;
  if (script.thinkMs) await sleep(script.thinkMs, undefined, { signal: disconnected });
  const { fault, headers = {} } = script;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (fault?.kind === "refuse") {
    response.writeHead(fault.status, { "content-type": "application/json" });
    response.end(JSON.stringify(fault.body ?? { error: { message: `scripted ${fault.status}` } }));
    return;
  }
  if (fault?.kind === "reset" && fault.after === 0) return void response.socket?.resetAndDestroy();
  if (fault?.kind === "stall" && fault.after === 0) return;
  if (path.endsWith("/tokenize")) return sendJson(response, { tokens: script.tokenIds ?? [1, 2, 3] });
  const { rawAnswer } = script;
  if (rawAnswer) return void response.writeHead(200, { "content-type": rawAnswer.contentType }).end(rawAnswer.body);
  if (script.sound) return sendSound(response, script.sound, script, disconnected);
  if (path.endsWith("/embeddings")) return sendEmbeddings(response, body, script);
  if (body.stream) await sendStream(response, body, script, disconnected);
  else await sendBuffered(response, body, script, disconnected);
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

async function sendEmbeddings(
  response: ServerResponse,
  body: Record<string, unknown>,
  { vectors, embed, usage }: CurrentScript,
): Promise<void> {
  const inputs = Array.isArray(body.input) && typeof body.input[0] !== "number" ? body.input : [body.input];
  const embeddings =
    (embed && (await Promise.all(inputs.map((text) => embed(String(text)))))) ??
    vectors?.slice(0, inputs.length) ??
    inputs.map((_, index) => [index, 0.5, -0.25]);
  const data = embeddings.map((embedding, index) => ({ object: "embedding", index, embedding }));
  const usageFields = usage === undefined ? { prompt_tokens: 4, total_tokens: 4 } : usage;
  sendJson(response, { object: "list", model: body.model, data, ...(usageFields && { usage: usageFields }) });
}

async function sendSound(
  response: ServerResponse,
  { parts, contentType }: NonNullable<UpstreamScript["sound"]>,
  { pauseUntil, fault }: CurrentScript,
  disconnected: AbortSignal,
): Promise<void> {
  response.writeHead(200, contentType === undefined ? {} : { "content-type": contentType });
  response.flushHeaders();
  for (const [at, part] of parts.entries()) {
    if (fault && "after" in fault && fault.after === at) return failStream(response, fault);
    if (!response.write(part)) await once(response, "drain", { signal: disconnected });
    if (at === 0) await pauseUntil;
  }
  response.end();
}

async function sendBuffered(
  response: ServerResponse,
  body: Record<string, unknown>,
  {
    tokens = ["Hel", "lo", "!"],
    delayMs = 0,
    usage = USAGE,
    fault,
    message: scripted,
    finishReason = "stop",
  }: CurrentScript,
  disconnected: AbortSignal,
): Promise<void> {
  if (delayMs) await sleep(delayMs * tokens.length, undefined, { signal: disconnected });
  const message = scripted ?? { role: "assistant", content: tokens.join("") };
  const text = JSON.stringify({
    id: "up-1",
    object: "chat.completion",
    created: 1,
    model: body.model,
    choices: listChoices(body).map((index) => ({
      index,
      ...(body.messages ? { message } : { text: tokens.join("") }),
      finish_reason: finishReason,
    })),
    ...(usage && { usage }),
  });
  response.writeHead(200, { "content-type": "application/json", ...(fault && { "content-length": text.length }) });
  if (!fault || fault.kind === "stays open") return void response.end(text);
  if (fault.kind === "wrong json") return void response.end("<html>".padEnd(text.length));
  response.write(text.slice(0, 20));
  await sleep(10);
  if (fault.kind === "reset") response.socket?.resetAndDestroy();
  else response.socket?.end();
}

/** Indexes of the choices: one for each prompt and requested answer. */
function listChoices({ prompt, n }: Record<string, unknown>): number[] {
  const prompts = Array.isArray(prompt) && typeof prompt[0] !== "number" ? prompt.length : 1;
  return Array.from({ length: prompts * (typeof n === "number" ? n : 1) }, (_, index) => index);
}

async function sendStream(
  response: ServerResponse,
  body: Record<string, unknown>,
  script: CurrentScript,
  disconnected: AbortSignal,
): Promise<void> {
  const { tokens = ["Hel", "lo", "!"], delayMs = 0, usage = USAGE, fault, finishReason = "stop" } = script;
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (fault?.kind === "reset after headers") {
    response.flushHeaders();
    await sleep(10);
    return void response.socket?.resetAndDestroy();
  }
  const write = async (text: string) => {
    for (const part of script.encodeText?.(text) ?? [text])
      if (!response.write(part)) await once(response, "drain", { signal: disconnected });
  };
  const chunk = (choices: object[], more: object = {}) =>
    write(
      formatEvent({ id: "up-1", object: "chat.completion.chunk", created: 1, model: body.model, choices, ...more }),
    );
  const said = (part: object) =>
    body.messages ? { delta: part } : { text: (part as { content?: string }).content ?? "" };
  const deltas = script.deltas ?? tokens.map((content) => ({ content }));
  for (const [at, delta] of deltas.entries()) {
    if (fault && "after" in fault && fault.after === at) return failStream(response, fault);
    for (const index of listChoices(body)) await chunk([{ index, ...said(delta), finish_reason: null }]);
    if (at === 0) await script.pauseUntil;
    if (delayMs) await sleep(delayMs, undefined, { signal: disconnected });
  }
  if (fault?.kind !== "no finish reason")
    for (const index of listChoices(body)) await chunk([{ index, ...said({}), finish_reason: finishReason }]);
  if (usage) await chunk([], { usage });
  if (fault?.kind !== "no finish reason") await write("data: [DONE]\n\n");
  if (fault?.kind !== "stays open") response.end();
}

async function failStream(response: ServerResponse, fault: UpstreamFault): Promise<void> {
  await sleep(10); // gives what was written before time to arrive
  switch (fault.kind) {
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "hang up":
      response.socket?.end();
      return;
    case "half frame":
      response.end('data: {"id":"up-1","choices":[{"ind');
      return;
    case "half character":
      response.write('data: {"choices":[{"index":0,"delta":{"content":"');
      response.end(Buffer.from("é").subarray(0, 1));
      return;
    case "error event":
      response.end('data: {"error":{"message":"scripted secret of the backend"}}\n\n');
      return;
    case "wrong json":
      response.end("data: {nonsense\n\ndata: [DONE]\n\n");
      return;
    default: // a stall: nothing more is sent
  }
}
