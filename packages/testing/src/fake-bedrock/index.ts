/**
 * A stand-in for Amazon Bedrock's Converse API, which cannot run here. It is written from the reference at
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html: it refuses what the API refuses, checks
 * signatures, and answers, whole and as a stream, with the blocks of a script. Its faults are those of the reference:
 * exceptions in place of an answer and in a stream, a stream that ends early, and one whose bytes are damaged.
 */
import type { ServerResponse } from "node:http";
import { type RecordedRequest, startHttpServer } from "../http-server.ts";
import { encodeBedrockEvent } from "./events.ts";
import { findSignatureProblem, type SigningKey } from "./signature.ts";
import { findProblem } from "./validation.ts";

export { encodeBedrockEvent } from "./events.ts";

type Fields = Record<string, unknown>;

/** How the stand-in answers. */
export type BedrockScript = {
  /** The blocks of the answer. */
  content?: readonly Fields[];
  stopReason?: string;
  usage?: Fields;
  /** An exception in place of an answer, or as the event of a stream at this position; or a stream that breaks. */
  fault?:
    | { kind: "refuse"; status: number; exception: string; message: string }
    | { kind: "exception event"; at: number; exception: string; message: string }
    | { kind: "cut" | "damage" };
  /** What `GET /foundation-models` and `GET /inference-profiles` list. */
  models?: readonly Fields[];
  profiles?: readonly Fields[];
  /** Computes the answer from the body of the call; its fields replace those of the script. */
  reply?: (body: Fields) => Omit<BedrockScript, "reply">;
};

/** A call that the stand-in received. */
export type BedrockCall = { model: string; method: string; body: Fields };

/** A key of Bedrock's own, which the stand-in accepts. */
export const BEDROCK_KEY = "ABSKdGVzdA==";
/** The key that may sign requests to the stand-in. */
export const BEDROCK_SIGNING_KEY = Object.freeze({
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  sessionToken: "IQoJb3JpZ2luX2Vj//example+token==",
} as const satisfies SigningKey);

const USAGE = { inputTokens: 7, outputTokens: 5, totalTokens: 62, cacheReadInputTokens: 30, cacheWriteInputTokens: 20 };
const CALL_PATH = /^\/model\/([^/]+)\/(converse|converse-stream)$/;
/** Characters of each delta. */
const PIECE = 4;

/** Starts the stand-in. Its script can be replaced while it runs. */
export async function startFakeBedrock(script: BedrockScript = {}) {
  const state = { script };
  const calls: BedrockCall[] = [];
  const server = await startHttpServer((request, response) => {
    const problem = findKeyProblem(request);
    if (problem !== null) return sendException(response, 403, "AccessDeniedException", problem);
    if (request.method === "GET") return sendList(response, request.url, state.script);
    const [, model, method] = CALL_PATH.exec(request.url) ?? [];
    if (model === undefined || method === undefined)
      return sendException(response, 404, "UnknownOperationException", "Unknown operation");
    const call = { model: decodeURIComponent(model), method, body: JSON.parse(request.body) as Fields };
    calls.push(call);
    return answer(response, { ...state.script, ...state.script.reply?.(call.body) }, call);
  });
  return {
    baseUrl: server.url,
    /** The calls so far. */
    calls,
    /** All requests so far. */
    requests: server.requests,
    answer: (next: BedrockScript) => {
      state.script = next;
    },
    close: server.close,
  };
}

function findKeyProblem(request: RecordedRequest): string | null {
  if (request.headers.authorization === `Bearer ${BEDROCK_KEY}`) return null;
  return findSignatureProblem(request, BEDROCK_SIGNING_KEY, new Date());
}

function answer(response: ServerResponse, script: BedrockScript, { model, method, body }: BedrockCall): void {
  const problem = findProblem(model, body);
  if (problem !== null) return void sendException(response, 400, "ValidationException", problem);
  const { fault } = script;
  if (fault?.kind === "refuse") return void sendException(response, fault.status, fault.exception, fault.message);
  const { content = [{ text: "Hello!" }], stopReason = "end_turn", usage = USAGE } = script;
  if (method === "converse") {
    const message = { role: "assistant", content };
    return void sendJson(response, 200, { output: { message }, stopReason, usage, metrics: { latencyMs: 9 } });
  }
  const events = [
    { messageStart: { role: "assistant" } },
    ...content.flatMap(toBlockEvents),
    { messageStop: { stopReason } },
    { metadata: { usage, metrics: { latencyMs: 9 } } },
  ];
  sendStream(response, events, fault);
}

/** Returns the events of a block. Only a call of a tool has one for its start. */
function toBlockEvents(block: Fields, contentBlockIndex: number): Fields[] {
  const { start, deltas } = splitBlock(block);
  return [
    ...(start === null ? [] : [{ contentBlockStart: { start, contentBlockIndex } }]),
    ...deltas.map((delta) => ({ contentBlockDelta: { delta, contentBlockIndex, p: "abcdefg" } })),
    { contentBlockStop: { contentBlockIndex } },
  ];
}

function splitBlock({ text, toolUse, reasoningContent }: Fields): { start: Fields | null; deltas: Fields[] } {
  if (toolUse !== undefined) {
    const { input, ...start } = toolUse as Fields;
    const pieces = split(JSON.stringify(input));
    return { start: { toolUse: start }, deltas: pieces.map((piece) => ({ toolUse: { input: piece } })) };
  }
  if (reasoningContent === undefined)
    return { start: null, deltas: split(String(text)).map((piece) => ({ text: piece })) };
  const { reasoningText, redactedContent } = reasoningContent as Fields;
  const { text: thought, signature } = (reasoningText ?? {}) as Fields;
  const deltas = [
    ...split(String(thought ?? "")).map((piece) => ({ text: piece })),
    ...(signature === undefined ? [] : [{ signature }]),
    ...(redactedContent === undefined ? [] : [{ redactedContent }]),
  ];
  return { start: null, deltas: deltas.map((delta) => ({ reasoningContent: delta })) };
}

function split(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / PIECE) }, (_, at) => text.slice(at * PIECE, (at + 1) * PIECE));
}

/** Sends the events as messages that are divided anywhere. */
function sendStream(response: ServerResponse, events: readonly Fields[], fault: BedrockScript["fault"]): void {
  response.writeHead(200, { "content-type": "application/vnd.amazon.eventstream" });
  const sent = fault?.kind === "exception event" ? events.slice(0, fault.at) : events;
  const bytes = Buffer.concat(sent.map(encodeBedrockEvent));
  const half = Math.ceil(bytes.length / 2);
  if (fault?.kind === "damage") bytes[half] = (bytes[half] ?? 0) ^ 1;
  response.write(bytes.subarray(0, half));
  if (fault?.kind === "cut") return void response.end();
  response.write(bytes.subarray(half));
  if (fault?.kind === "exception event")
    response.write(encodeBedrockEvent({ [fault.exception]: { message: fault.message } }));
  response.end();
}

function sendList(response: ServerResponse, url: string, { models = [], profiles = [] }: BedrockScript): void {
  const { pathname } = new URL(url, "http://localhost");
  if (pathname === "/foundation-models") return void sendJson(response, 200, { modelSummaries: models });
  if (pathname === "/inference-profiles") return void sendJson(response, 200, { inferenceProfileSummaries: profiles });
  sendException(response, 404, "UnknownOperationException", "Unknown operation");
}

function sendException(response: ServerResponse, status: number, exception: string, message: string): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "x-amzn-errortype": `${exception}:http://internal.amazon.com/`,
  });
  response.end(JSON.stringify({ message }));
}

function sendJson(response: ServerResponse, status: number, body: Fields): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
