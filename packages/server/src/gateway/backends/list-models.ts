import { type Dispatcher, request } from "undici";
import { isRecord } from "../upstream/reported-usage.ts";
import { type Program, programOf } from "./dialects.ts";

/** The models of a backend, or a sentence for operators about why they could not be read. */
export type ModelsResult =
  | { ok: true; models: string[]; contextLengths: ReadonlyMap<string, number>; program: Program }
  | { ok: false; error: string };

const TIMEOUT_MS = 1_500;
/** Larger numbers are taken for errors. */
const MAX_CONTEXT_TOKENS = 1_000_000_000;

/** Requests `GET /models` from an OpenAI-compatible address. Never throws. */
export async function listModels(
  baseUrl: string,
  apiKey: string | undefined,
  timeoutMs = TIMEOUT_MS,
  dispatcher?: Dispatcher,
): Promise<ModelsResult> {
  try {
    const response = await request(`${baseUrl.replace(/\/+$/, "")}/models`, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(timeoutMs),
      ...(dispatcher && { dispatcher }),
    });
    const body: unknown = await response.body.json().catch(() => null);
    if (response.statusCode !== 200) return failure(`It answered with status ${response.statusCode}.`);
    if (typeof body !== "object" || body === null || !("data" in body) || !Array.isArray(body.data))
      return failure("It answered, but not with a list of models as OpenAI's /v1/models gives it.");
    const entries = body.data.filter(isRecord);
    const namedEntries = entries.flatMap((entry) => (typeof entry.id === "string" ? [{ ...entry, id: entry.id }] : []));
    return {
      ok: true,
      models: namedEntries.map(({ id }) => id),
      contextLengths: new Map(
        namedEntries.flatMap((entry) => readContextLength(entry).map((tokens) => [entry.id, tokens] as const)),
      ),
      program: programOf(entries[0]?.owned_by),
    };
  } catch (error) {
    return failure(describeError(error, timeoutMs));
  }
}

/**
 * Tokens of context, in the fields of vLLM, llama-server, LM Studio and OpenRouter: the loaded length before the
 * trained one. Empty if none is given.
 */
function readContextLength({
  max_model_len,
  loaded_context_length,
  context_length,
  meta,
}: Record<string, unknown>): number[] {
  const { n_ctx, n_ctx_train } = isRecord(meta) ? meta : {};
  const candidates = [max_model_len, loaded_context_length, n_ctx, context_length, n_ctx_train];
  const tokens = candidates.find(
    (value) => Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= MAX_CONTEXT_TOKENS,
  );
  return tokens === undefined ? [] : [Number(tokens)];
}

function failure(error: string): ModelsResult {
  return { ok: false, error };
}

function describeError(error: unknown, timeoutMs: number): string {
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  if (name === "TimeoutError") return `It gave no answer within ${timeoutMs / 1000} s.`;
  if (code === "ECONNREFUSED") return "Nothing listens at this address.";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "The name of this address is not known.";
  return message || "It cannot be reached.";
}
