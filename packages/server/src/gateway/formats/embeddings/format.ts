import type { ResolvedCall } from "../../call.ts";
import { estimatePromptTokens } from "../../token-estimates.ts";
import { isRecord, parseReportedUsage } from "../../upstream/reported-usage.ts";

/** The answer and what it used, from the JSON of a backend; null when that holds no vectors. */
export function toEmbeddings(call: Pick<ResolvedCall, "body" | "model">, raw: Record<string, unknown>) {
  if (!Array.isArray(raw.data) || raw.data.length === 0) return null;
  const base64 = call.body.encoding_format === "base64";
  const vectors = raw.data.map((entry: unknown) => (isRecord(entry) ? encodeVector(entry.embedding, base64) : null));
  if (vectors.includes(null)) return null;
  const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
  const usage = parseReportedUsage(raw.usage);
  const prompt_tokens = usage?.prompt ?? estimatePromptTokens(call.body);
  const answer = {
    object: "list",
    model: call.model.id,
    data,
    usage: { prompt_tokens, total_tokens: prompt_tokens },
  };
  return { answer, usage: usage && { ...usage, completion: 0 } };
}

/** An array of numbers, or base64 of little-endian 32-bit floats as OpenAI's clients decode them. Null if invalid. */
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
