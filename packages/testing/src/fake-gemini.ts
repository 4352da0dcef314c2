/**
 * A stand-in for Google's Gemini API, which cannot run here. It is written from the reference at
 * https://ai.google.dev/api/generate-content: it refuses what the API refuses and answers, whole and as a stream, with the
 * parts of a script. Its faults are those that the reference lists: errors by status, a prompt that is filtered, and a stream
 * that ends early.
 */
import type { ServerResponse } from "node:http";
import { startHttpServer } from "./http-server.ts";

type Fields = Record<string, unknown>;

/** How the stand-in answers. */
export type GeminiScript = {
  /** The parts of the answer. In a stream, each is an event. */
  parts?: readonly Fields[];
  finishReason?: string;
  /** An error in place of an answer, a filtered prompt, or a stream that ends early. */
  fault?: { kind: "refuse"; code: number; status: string; message: string } | { kind: "block" } | { kind: "cut" };
  /** What `GET /v1beta/models` lists. */
  models?: readonly Fields[];
  /** The vectors of the embeddings, of which as many are sent as there are inputs. */
  vectors?: readonly (readonly number[])[];
  /** Computes the answer from the body of the call; its fields replace those of the script. */
  reply?: (body: Fields) => Omit<GeminiScript, "reply">;
};

/** A call that the stand-in received. */
export type GeminiCall = { model: string; method: string; body: Fields };

/** The key that the stand-in accepts. */
export const GEMINI_KEY = "AIza-test";
const USAGE = { promptTokenCount: 40, cachedContentTokenCount: 30, candidatesTokenCount: 5, thoughtsTokenCount: 2 };
const CALL_PATH = /^\/v1(?:beta)?\/models\/([^:]+):(generateContent|streamGenerateContent|batchEmbedContents)/;

/** Starts the stand-in. Its script can be replaced while it runs. */
export async function startFakeGemini(script: GeminiScript = {}) {
  const state = { script };
  const calls: GeminiCall[] = [];
  const server = await startHttpServer(({ method, url, headers, body: text }, response) => {
    if (headers["x-goog-api-key"] !== GEMINI_KEY)
      return sendError(response, 400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.");
    if (method === "GET") return sendJson(response, 200, { models: state.script.models ?? [] });
    const [, model, called] = CALL_PATH.exec(url) ?? [];
    if (model === undefined || called === undefined) return sendError(response, 404, "NOT_FOUND", "Not found.");
    const body = JSON.parse(text) as Fields;
    calls.push({ model, method: called, body });
    if (called === "batchEmbedContents") return sendJson(response, 200, toEmbeddings(body, state.script));
    const problem = findProblem(model, body);
    if (problem !== null) return sendError(response, 400, "INVALID_ARGUMENT", problem);
    const current = { ...state.script, ...state.script.reply?.(body) };
    const { fault } = current;
    if (fault?.kind === "refuse") return sendError(response, fault.code, fault.status, fault.message);
    if (called === "generateContent") return sendJson(response, 200, toAnswer(current));
    if (!url.endsWith("?alt=sse")) return sendError(response, 400, "INVALID_ARGUMENT", "The stand-in streams events.");
    return sendStream(response, current);
  });
  return {
    baseUrl: `${server.url}/v1beta`,
    /** The origin, which the official client takes. */
    origin: server.url,
    calls,
    answer: (next: GeminiScript) => {
      state.script = next;
    },
    close: server.close,
  };
}

/** Returns what the API says of a body that it refuses; null if it takes it. */
function findProblem(model: string, { contents, toolConfig, tools }: Fields): string | null {
  if (!Array.isArray(contents) || contents.length === 0) return "contents is not specified";
  for (const [at, { role, parts }] of (contents as Fields[]).entries()) {
    if (role !== "user" && role !== "model") return "Please use a valid role: user, model.";
    if (!Array.isArray(parts) || parts.length === 0) return `contents[${at}].parts must not be empty`;
    const problem = findTurnProblem(model, (contents as Fields[])[at - 1], parts as Fields[]);
    if (problem !== null) return problem;
  }
  return toolConfig !== undefined && tools === undefined
    ? "Function calling config is set without function_declarations."
    : null;
}

function findTurnProblem(model: string, before: Fields | undefined, parts: readonly Fields[]): string | null {
  const [first] = parts.filter(({ functionCall }) => functionCall !== undefined);
  if (first !== undefined && model.startsWith("gemini-3") && typeof first.thoughtSignature !== "string")
    return "Function call is missing a thought_signature in functionCall parts.";
  const answered = parts.filter(({ functionResponse }) => functionResponse !== undefined).length;
  const called = ((before?.parts ?? []) as Fields[]).filter(({ functionCall }) => functionCall !== undefined).length;
  return answered === called || (answered === 0 && before?.role !== "model")
    ? null
    : "The number of function response parts must equal the number of function call parts of the function call turn.";
}

function toAnswer({ parts = [{ text: "Hello!" }], finishReason = "STOP", fault }: GeminiScript): Fields {
  const meta = { usageMetadata: { ...USAGE, totalTokenCount: 47 }, modelVersion: "gemini-test", responseId: "r1" };
  if (fault?.kind === "block") return { promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, ...meta };
  return { candidates: [{ content: { role: "model", parts }, finishReason, index: 0 }], ...meta };
}

function sendStream(response: ServerResponse, script: GeminiScript): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const { candidates, usageMetadata, ...meta } = toAnswer(script);
  const send = (event: Fields) => response.write(`data: ${JSON.stringify(event)}\r\n\r\n`);
  const [candidate] = (candidates ?? []) as { content: { parts: Fields[] }; finishReason: string }[];
  if (candidate === undefined) send({ ...meta, usageMetadata });
  const parts = candidate?.content.parts ?? [];
  for (const [at, part] of parts.entries()) {
    const isLast = at === parts.length - 1;
    if (isLast && script.fault?.kind === "cut") break;
    const finish = isLast ? { finishReason: candidate?.finishReason } : {};
    send({ candidates: [{ content: { role: "model", parts: [part] }, index: 0, ...finish }], usageMetadata, ...meta });
  }
  response.end();
}

function toEmbeddings({ requests }: Fields, { vectors }: GeminiScript): Fields {
  return { embeddings: (requests as Fields[]).map((_, at) => ({ values: vectors?.[at] ?? [at, 1] })) };
}

function sendError(response: ServerResponse, code: number, status: string, message: string): void {
  sendJson(response, code, { error: { code, message, status } });
}

function sendJson(response: ServerResponse, status: number, body: Fields): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
