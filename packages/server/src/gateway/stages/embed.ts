import type { BackendRegistry } from "../backends/registry.ts";
import type { Outcome, ResolvedCall } from "../call.ts";
import { noteIgnored } from "../identity.ts";
import { isRecord, reportedUsage } from "../reported-usage.ts";
import { estimatePrompt } from "../token-estimates.ts";
import { type Timeouts, tryBackends } from "./dispatch.ts";
import { answerOf, noAnswer } from "./whole.ts";

/** Gets vectors from a backend and sends them in the requested encoding, whichever the backend uses. */
export async function answerEmbedding(
  call: ResolvedCall,
  registry: BackendRegistry,
  timeouts: Timeouts,
): Promise<Outcome> {
  const { backend, result } = await tryBackends(call, registry, async (candidate) =>
    embeddings(call, await answerOf(call, candidate, timeouts)),
  );
  try {
    const firstByteMs = Math.floor(call.elapsed());
    noteIgnored(call, backend);
    await call.reply.code(200).type("application/json").send(JSON.stringify(result.answer));
    const { usage } = result;
    const end = { outcome: "completed", status: 200, errorCode: null } as const;
    return { ...end, backend: backend.name, firstByteMs, usage, deltas: usage ? 0 : 1 };
  } finally {
    backend.inFlight -= 1;
  }
}

function embeddings(call: ResolvedCall, raw: Record<string, unknown>) {
  if (!Array.isArray(raw.data) || raw.data.length === 0) throw noAnswer();
  const base64 = call.body.encoding_format === "base64";
  const data = raw.data.map((entry: unknown, index) => {
    const vector = isRecord(entry) ? vectorOf(entry.embedding, base64) : null;
    if (vector === null) throw noAnswer();
    return { object: "embedding", index, embedding: vector };
  });
  const usage = reportedUsage(raw.usage);
  const prompt_tokens = usage?.prompt ?? estimatePrompt(call.body);
  const answer = {
    object: "list",
    model: call.model.id,
    data,
    usage: { prompt_tokens, total_tokens: prompt_tokens },
  };
  return { answer, usage: usage && { ...usage, completion: 0 } };
}

/** An array of numbers, or base64 of little-endian 32-bit floats as OpenAI's clients decode them. Null if invalid. */
function vectorOf(given: unknown, base64: boolean): number[] | string | null {
  if (typeof given === "string") return base64 ? given : floatsOf(given);
  if (!Array.isArray(given) || given.some((value) => typeof value !== "number")) return null;
  if (!base64) return given;
  const bytes = Buffer.alloc(given.length * 4);
  for (const [at, value] of given.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString("base64");
}

function floatsOf(base64: string): number[] {
  const bytes = Buffer.from(base64, "base64");
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4));
}
