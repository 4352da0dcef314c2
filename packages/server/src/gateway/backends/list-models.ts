import { type Dispatcher, request } from "undici";
import { type Program, programOf } from "./dialects.ts";

export type ModelsAnswer = { ok: true; models: string[]; program: Program } | { ok: false; error: string };

const TIMEOUT = 1_500;

/** Asks an OpenAI-compatible address for the names of its models. */
export async function listModels(
  baseUrl: string,
  apiKey: string | undefined,
  timeoutMs = TIMEOUT,
  dispatcher?: Dispatcher,
): Promise<ModelsAnswer> {
  try {
    const response = await request(`${baseUrl.replace(/\/+$/, "")}/models`, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(timeoutMs),
      ...(dispatcher && { dispatcher }),
    });
    const body: unknown = await response.body.json().catch(() => null);
    if (response.statusCode !== 200) return failed(`It answered with status ${response.statusCode}.`);
    if (typeof body !== "object" || body === null || !("data" in body) || !Array.isArray(body.data))
      return failed("It answered, but not with a list of models as OpenAI's /v1/models gives it.");
    const entries: ({ id?: unknown; owned_by?: unknown } | null)[] = body.data;
    return {
      ok: true,
      models: entries.map((entry) => entry?.id).filter((id) => typeof id === "string"),
      program: programOf(entries[0]?.owned_by),
    };
  } catch (error) {
    return failed(reason(error, timeoutMs));
  }
}

function failed(error: string): ModelsAnswer {
  return { ok: false, error };
}

function reason(error: unknown, timeoutMs: number): string {
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  if (name === "TimeoutError") return `It gave no answer within ${timeoutMs / 1000} s.`;
  if (code === "ECONNREFUSED") return "Nothing listens at this address.";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "The name of this address is not known.";
  return message || "It cannot be reached.";
}
