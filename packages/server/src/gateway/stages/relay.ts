import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { errors } from "undici";
import { openAIEnvelope } from "../../http/error-envelopes.ts";
import { AppError } from "../../shared/errors.ts";
import type { Outcome, ResolvedCall } from "../call.ts";
import { isRecord, reportedUsage } from "../reported-usage.ts";
import { createSseReader, type StreamFacts } from "../sse.ts";
import type { Dispatched } from "./dispatch.ts";
import { CHARACTERS_PER_TOKEN } from "./settle.ts";

/** A silent stream sends a comment this often, so that proxies on the way do not cut it. */
const KEEP_ALIVE = 15_000;
const LARGEST_ANSWER = 64 * 1024 * 1024;

type Relayed = Omit<Outcome, "backend">;

/** Reads the whole answer and sends it on. */
export async function relayAnswer(call: ResolvedCall, { response, backend }: Dispatched): Promise<Relayed> {
  const text = await readAll(response.body).catch((error: unknown) => {
    throw broken(error);
  });
  const firstByteMs = call.elapsed();
  const name = backend.models.get(call.model.id);
  const answer = parse(text);
  if (answer === null)
    throw new AppError(
      502,
      "upstream_error",
      `The backend ${backend.name} answered with something that is no answer of a model.`,
    );
  const sent =
    name === call.model.id && answer.model === call.model.id
      ? text
      : JSON.stringify({ ...answer, model: call.model.id });
  await call.reply.code(200).type("application/json").send(sent);
  return {
    outcome: "completed",
    status: 200,
    errorCode: null,
    firstByteMs,
    usage: reportedUsage(answer.usage),
    deltas: Math.ceil(words(answer.choices).length / CHARACTERS_PER_TOKEN),
  };
}

/** All that the model said, for an estimate where the backend counts nothing. */
function words(choices: unknown): string {
  if (!Array.isArray(choices)) return "";
  const said = choices
    .filter(isRecord)
    .map(({ text, message }) => (isRecord(message) ? { ...message, role: "" } : { text }));
  return said
    .flatMap((parts) => Object.values(parts))
    .map((part) => (typeof part === "string" ? part : JSON.stringify(part ?? "")))
    .join("");
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && Array.isArray(value.choices) ? value : null;
  } catch {
    return null;
  }
}

/** The fault of a body that ended before it was whole. */
function broken(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof errors.BodyTimeoutError)
    return new AppError(504, "upstream_timeout", "The backend stopped in the middle of the answer.", {
      headers: { "retry-after": "1" },
      cause: error,
    });
  return new AppError(502, "upstream_error", "The backend failed in the middle of the answer.", {
    headers: { "retry-after": "1" },
    cause: error,
  });
}

async function readAll(body: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > LARGEST_ANSWER) throw new AppError(502, "upstream_error", "The backend's answer is too large.");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** Sends the events on as they come. A fault after the first byte becomes an event, and the connection closes without `[DONE]`. */
export async function relayStream(call: ResolvedCall, { response, backend }: Dispatched): Promise<Relayed> {
  const name = backend.models.get(call.model.id);
  const reader = createSseReader({
    passUsage: call.body.stream_options?.include_usage === true,
    ...(name !== call.model.id && { model: call.model.id }),
  });
  const { facts } = reader;
  const raw = startStream(call);
  const keepAlive = setInterval(() => raw.write(": keep-alive\n\n"), KEEP_ALIVE);
  let firstByteMs: number | null = null;
  let fault: AppError | null = null;
  try {
    for await (const bytes of response.body as AsyncIterable<Buffer>) {
      firstByteMs ??= call.elapsed();
      keepAlive.refresh();
      const events = reader.push(bytes);
      if (events !== "" && !raw.write(events)) await once(raw, "drain", { signal: call.signal });
      if (facts.failed) break;
    }
    if (!facts.finished || facts.failed) fault = cutShort(facts);
  } catch (error) {
    if (call.signal.aborted) return ended("aborted", 499, "client_closed", firstByteMs, facts);
    fault = broken(error);
  } finally {
    clearInterval(keepAlive);
  }
  if (!fault) {
    raw.end("data: [DONE]\n\n");
    return ended("completed", 200, null, firstByteMs, facts);
  }
  raw.write(`data: ${JSON.stringify(openAIEnvelope(fault, call.id))}\n\n`);
  raw.end(() => raw.destroy());
  return ended("failed", 200, fault.code, firstByteMs, facts);
}

function startStream({ reply }: ResolvedCall): ServerResponse {
  const headers = reply.getHeaders();
  reply.hijack();
  reply.raw.writeHead(200, {
    ...Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  });
  reply.raw.flushHeaders();
  return reply.raw;
}

function cutShort(facts: StreamFacts): AppError {
  const message = facts.failed
    ? "The backend reported an error in the middle of the answer."
    : "The backend ended the answer before it was complete.";
  return new AppError(502, "upstream_error", message);
}

function ended(
  outcome: Relayed["outcome"],
  status: number,
  errorCode: string | null,
  firstByteMs: number | null,
  facts: StreamFacts,
): Relayed {
  return { outcome, status, errorCode, firstByteMs, usage: facts.usage, deltas: facts.deltas };
}
