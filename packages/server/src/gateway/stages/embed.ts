import type { BackendRegistry } from "../backends/registry.ts";
import type { Outcome, ResolvedCall } from "../call.ts";
import { setIgnoredParamsHeader } from "../completion-meta.ts";
import { isRecord, parseReportedUsage } from "../reported-usage.ts";
import { estimatePromptTokens } from "../token-estimates.ts";
import { fetchJson, invalidAnswer } from "./buffered.ts";
import { type Timeouts, tryBackends } from "./dispatch.ts";

/** Gets vectors from a backend and sends them in the requested encoding, whichever the backend uses. */
export async function answerEmbedding(
  call: ResolvedCall,
  registry: BackendRegistry,
  timeouts: Timeouts,
): Promise<Outcome> {
  const { backend, result } = await tryBackends(call, registry, async (candidate) =>
    toEmbeddings(call, await fetchJson(call, candidate, timeouts)),
  );
  try {
    const firstByteMs = Math.floor(call.elapsedMs());
    setIgnoredParamsHeader(call, backend);
    await call.reply.code(200).type("application/json").send(JSON.stringify(result.answer));
    const { usage } = result;
    const completed = { outcome: "completed", status: 200, errorCode: null } as const;
    return { ...completed, backend: backend.name, firstByteMs, usage, deltas: usage ? 0 : 1 };
  } finally {
    backend.inFlight -= 1;
  }
}

function toEmbeddings(call: ResolvedCall, raw: Record<string, unknown>) {
  if (!Array.isArray(raw.data) || raw.data.length === 0) throw invalidAnswer();
  const base64 = call.body.encoding_format === "base64";
  const data = raw.data.map((entry: unknown, index) => {
    const vector = isRecord(entry) ? encodeVector(entry.embedding, base64) : null;
    if (vector === null) throw invalidAnswer();
    return { object: "embedding", index, embedding: vector };
  });
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
