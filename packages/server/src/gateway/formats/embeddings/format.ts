import {
  isRecord,
  parseReportedUsage,
  type ReportedUsage,
  readTotal,
  toEstimatedUsage,
} from "../../usage/reported-usage.ts";
import type { Fields } from "../fields.ts";
import type { WholeAnswer, WholeCall } from "../format.ts";
import type { CallBody } from "../parsed-request.ts";
import { countPrompts, estimatePromptTokens } from "../token-estimates.ts";

type Vector = { object: "embedding"; index: number; embedding: number[] | string };
/** An answer in OpenAI's format, and its usage; null if the backend counted none. */
type Embeddings = Pick<WholeAnswer, "usage"> & {
  answer: { object: "list"; model: string; data: Vector[]; usage: { prompt_tokens: number; total_tokens: number } };
};

/** Returns the answer and its usage from a backend's JSON; null if that does not have a vector for each input. */
export function toEmbeddings(body: CallBody, call: WholeCall, raw: Record<string, unknown>): Embeddings | null {
  if (!Array.isArray(raw.data) || raw.data.length !== countPrompts(body)) return null;
  const base64 = body.encoding_format === "base64";
  const entries = orderEntries(raw.data.filter(isRecord), raw.data.length);
  const vectors = entries?.map(({ embedding }) => encodeVector(embedding, base64)) ?? [];
  if (entries === null || !vectors.every((vector) => vector !== null)) return null;
  const reported = parseReportedUsage(raw.usage);
  const usage = reported !== null && reported.prompt > 0 ? reported : null; // an input has tokens
  const counted = usage ?? toEstimatedUsage(estimatePromptTokens(body), 0);
  return { answer: toList(call.model.id, vectors, counted), usage: usage && { ...usage, completion: 0 } };
}

/**
 * Returns the entries in the order of the inputs: sorted by index, or unchanged if none has one. Null if it is unclear
 * which input an entry belongs to.
 */
function orderEntries(entries: readonly Fields[], count: number): readonly Fields[] | null {
  if (entries.length !== count) return null;
  if (entries.every(({ index }) => index === undefined || index === null)) return entries;
  const byIndex = new Map(entries.map((entry) => [entry.index, entry]));
  const ordered = Array.from({ length: count }, (_, at) => byIndex.get(at));
  return ordered.every((entry) => entry !== undefined) ? ordered : null;
}

function toList(model: string, vectors: Vector["embedding"][], { prompt, given }: ReportedUsage): Embeddings["answer"] {
  return {
    object: "list",
    model,
    data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
    usage: { prompt_tokens: prompt, total_tokens: readTotal(given) ?? prompt },
  };
}

/**
 * Returns a vector as an array of numbers, or as base64 of little-endian 32-bit floats, which OpenAI's clients decode. Null
 * if it is invalid.
 */
function encodeVector(given: unknown, base64: boolean): number[] | string | null {
  if (typeof given === "string") return base64 ? given : decodeFloats(given);
  if (!Array.isArray(given) || given.some((value) => typeof value !== "number")) return null;
  if (!base64) return given;
  const bytes = Buffer.alloc(given.length * 4);
  for (const [at, value] of given.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString("base64");
}

function decodeFloats(base64: string): number[] {
  const bytes = Buffer.from(base64, "base64");
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4));
}
