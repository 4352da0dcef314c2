import { performance } from "node:perf_hooks";
import { toKeyFailure, toResponseFailure } from "../backends/problems.ts";
import type { Backend, BackendRegistry } from "../backends/registry.ts";
import { type ChatChoice, type Chunk, createChunkReader, type TextChoice } from "../formats/chunks.ts";
import type { CallBody } from "../formats/parsed-request.ts";
import { toUpstreamError } from "../upstream/dispatch.ts";
import { findIgnoredFields, toUpstreamBody, withPriority } from "../upstream/parameters.ts";
import type { UpstreamRequest, UpstreamResponse } from "../upstream/response.ts";
import { openUpstreamStream } from "../upstream/upstream-stream.ts";
import { UnsuitableBackendError } from "../upstream-errors.ts";
import type { ReportedUsage } from "../usage/reported-usage.ts";

/** The fields of a call by which the server finds out what a model can do. It is always streamed. */
export type ProbeBody = { messages: unknown; max_tokens: number; [field: string]: unknown };

/** A call of the server itself to a model at one backend. */
export type Probe = {
  backend: Backend;
  modelKey: string;
  body: ProbeBody;
  /** Ends the call, which then has the result `stopped`. */
  signal: AbortSignal;
  limits: ProbeLimits;
};

/** The times in milliseconds that a backend has for the whole answer, and between two parts of it. */
export type ProbeLimits = { totalMs: number; idleMs: number };

/** A complete answer: its texts joined, with the tokens that the backend has counted; null if it counts none. */
export type ProbeAnswer = {
  text: string;
  /** Whether the model has begun to think and said nothing else. */
  isOnlyThinking: boolean;
  tools: readonly { name: string; arguments: string }[];
  finishReason: string | null;
  usage: ReportedUsage | null;
  /** The tokens of the answer: as counted by the backend, or the number of its parts. */
  tokens: number;
  /** From the request to the first text. */
  firstTokenMs: number;
  durationMs: number;
};

/**
 * The result of a probe. `refused` says that the backend does not take such calls, and `failed` says nothing about the model:
 * the backend could not be reached, was at its limit, or broke off. `status` and `words` are those of its response.
 */
export type ProbeResult =
  | { kind: "answer"; answer: ProbeAnswer }
  | { kind: "refused"; reason: string; status: number | null; words: string }
  | { kind: "failed"; reason: string }
  | { kind: "stopped" };

type ProbeRegistry = Pick<BackendRegistry, "chooseKey">;

/** Chunks of probes are read by nobody but this file. */
const META = { id: "probe", created: 0, model: "probe" };
const MAX_BODY_BYTES = 1024 * 1024;
/** The statuses with which backends say that they do not take what a call asks for. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 415, 422, 501]);
/** What some models refuse of every call, as OpenAI's reasoning models do, and the body that they take. */
const SPELLINGS: readonly { says: RegExp; respell(body: CallBody): CallBody }[] = [
  {
    says: /max_completion_tokens/,
    respell: ({ max_tokens, ...body }) => ({ ...body, ...(max_tokens && { max_completion_tokens: max_tokens }) }),
  },
  { says: /temperature/i, respell: ({ temperature: _, ...body }) => ({ ...body, model: body.model }) },
];

/**
 * Calls a model at one backend, outside of any caller's call: nothing is counted for the backend's health, its keys, its speed
 * or its load, and no usage is stored. Never throws.
 */
export async function sendProbe(registry: ProbeRegistry, probe: Probe): Promise<ProbeResult> {
  const { backend, modelKey } = probe;
  const given: CallBody = { ...probe.body, model: modelKey, stream: true };
  // Programs without the switch of thinking think or do not; that says nothing about the ability.
  const [passedOver] = findIgnoredFields(backend, "chat", given).filter((field) => field !== "chat_template_kwargs");
  if (passedOver !== undefined) return toRefusal(`What runs it does not take ${passedOver}.`);
  let body = withPriority(backend, "chat", toUpstreamBody(backend, "chat", given, modelKey), "batch");
  let result = await sendBody(registry, probe, body);
  for (const { says, respell } of SPELLINGS) {
    if (result.kind !== "refused" || result.status !== 400 || !says.test(result.words)) continue;
    body = respell(body);
    result = await sendBody(registry, probe, body);
  }
  return result;
}

async function sendBody(registry: ProbeRegistry, probe: Probe, body: CallBody): Promise<ProbeResult> {
  const { backend, signal, limits } = probe;
  const key = registry.chooseKey(backend);
  if (key === null && backend.keys.list.length > 0) return toFailure("All of its keys rest.");
  const timeout = AbortSignal.timeout(limits.totalMs);
  const aborted = AbortSignal.any([signal, timeout]);
  try {
    aborted.throwIfAborted();
    return await readResult(toRequest(probe, body, key?.secret, aborted), probe, key?.secret);
  } catch (error) {
    if (signal.aborted) return { kind: "stopped" };
    if (timeout.aborted) return toFailure(`It gave no complete answer within ${limits.totalMs / 1000} s.`);
    if (error instanceof UnsuitableBackendError) return toRefusal(error.message);
    return toFailure(toUpstreamError(error).message);
  }
}

function toRequest(
  { backend, modelKey, limits }: Probe,
  body: CallBody,
  apiKey: string | undefined,
  signal: AbortSignal,
): UpstreamRequest {
  const { api, accessTokens, origin, basePath, agent, openAgent } = backend;
  const maxAnswerTokens = backend.answerLimits?.get(modelKey) ?? null;
  const { path, body: sent } = api.toRequest({ kind: "chat", body, carried: undefined, maxAnswerTokens });
  const text = JSON.stringify(sent);
  const headers = {
    "content-type": "application/json",
    accept: api.streamFormat.mediaType,
    ...api.headers(apiKey),
  };
  return {
    dispatcher: agent,
    openDispatcher: openAgent,
    signal,
    signature:
      api.sign?.(apiKey, { method: "POST", url: origin + basePath + path, headers, body: text }, accessTokens) ?? null,
    maxBodyBytes: MAX_BODY_BYTES,
    options: {
      origin,
      path: basePath + path,
      method: "POST",
      headers,
      body: text,
      headersTimeout: limits.totalMs,
      bodyTimeout: 0, // the stream has its own time limit
    },
  };
}

async function readResult(request: UpstreamRequest, probe: Probe, apiKey: string | undefined): Promise<ProbeResult> {
  const { backend, limits } = probe;
  const { api } = backend;
  const reader = createChunkReader("chat", META, api.createEventReader("chat"));
  const startMs = performance.now();
  const opened = await openUpstreamStream(request, reader, limits.totalMs, api.streamFormat.createParser());
  if ("response" in opened) return toResponseResult(api.readRefusal?.(opened.response) ?? opened.response, apiKey);
  if ("empty" in opened) return toFailure("It ended its answer before it said anything.");
  const collected = createCollector(startMs);
  try {
    await opened.stream.forward(collected.add, limits.idleMs);
  } finally {
    opened.stream.close();
  }
  const { failed, finished, usage, deltas, finishReasons } = opened.stream.state;
  if (failed || !finished) return toFailure("It broke off before its answer was complete.");
  const answer = {
    ...collected.read(),
    usage,
    tokens: usage?.completion || deltas,
    finishReason: finishReasons[0] ?? null,
    durationMs: performance.now() - startMs,
  };
  return { kind: "answer", answer };
}

/** Joins the parts of the only choice of a streamed answer. */
function createCollector(startMs: number) {
  let text = "";
  let hasThought = false;
  let firstMs: number | null = null;
  const tools: { name: string; arguments: string }[] = [];
  const addChoice = (choice: ChatChoice | TextChoice) => {
    if (choice.index !== 0 || !isChatChoice(choice)) return;
    const { content = "", reasoning_content: thought = "", tool_calls: calls = [] } = choice.delta;
    if (content === "" && thought === "" && calls.length === 0) return;
    firstMs ??= performance.now() - startMs;
    text += content;
    hasThought ||= thought !== "";
    for (const { index, function: called } of calls) {
      const tool = tools[index] ?? { name: "", arguments: "" };
      tools[index] = tool;
      tool.name ||= called?.name ?? "";
      tool.arguments += called?.arguments ?? "";
    }
  };
  return {
    add(chunks: Chunk[]): undefined {
      for (const { choices } of chunks) choices.forEach(addChoice);
    },
    read: () => ({
      text,
      tools: tools.filter((tool) => tool !== undefined),
      isOnlyThinking: hasThought && text.trim() === "" && tools.length === 0,
      firstTokenMs: firstMs ?? performance.now() - startMs,
    }),
  };
}

const isChatChoice = (choice: ChatChoice | TextChoice): choice is ChatChoice => "delta" in choice;

/** What a response other than an answer says: the backend's words stay with admins, since they may tell of its machines. */
function toResponseResult({ statusCode, text }: UpstreamResponse, apiKey: string | undefined): ProbeResult {
  const { problem } = toResponseFailure({ status: statusCode, contentType: "", text, apiKey }, "call");
  const isAboutCall = problem === null || problem === "model"; // "this model does not support tools" names the model too
  const isRefusal = REFUSALS.has(statusCode) && isAboutCall && toKeyFailure(statusCode, text) === null;
  if (!isRefusal) return toFailure(`It answered with status ${statusCode}.`);
  return { ...toRefusal(`It refuses such calls with status ${statusCode}.`), status: statusCode, words: text };
}

const toFailure = (reason: string) => ({ kind: "failed" as const, reason });
const toRefusal = (reason: string) => ({ kind: "refused" as const, reason, status: null, words: "" });
