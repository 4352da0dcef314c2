import { reviveDates } from "../dates.ts";
import { errorFrom } from "../errors.ts";
import { isEventStream } from "../fetch/response.ts";
import type { SentRequest } from "../fetch/send.ts";
import type { StreamSource } from "../stream/stream-source.ts";

/** Paths whose responses follow OpenAI's or Anthropic's formats: their fields are never revived as dates. */
const MODEL_RESPONSE_PATHS =
  /\/(completions|embeddings|rerank|moderations|generations|trans(crip|la)tions|responses|messages)$/;
/** Paths that return HTML. HTML from any other path means that something other than the API responded. */
const HTML_PATHS = /\/(page|test-payments\/\{\w+\})$/;

/** Returns the function that turns the dates in responses of a path into `Date`s. */
export const reviverOf = (path: string): ((value: unknown) => unknown) =>
  MODEL_RESPONSE_PATHS.test(path) ? (value) => value : reviveDates;

/**
 * Returns the body of a response by its content type: a stream of events, a file as a `Blob`, JSON with dates revived, or text;
 * `undefined` for an empty body. Throws an `ApiError` when a JSON body cannot be parsed.
 */
export async function readBody(
  sent: SentRequest,
  path: string,
  { idleTimeoutMs, resume }: Pick<StreamSource, "idleTimeoutMs" | "resume">,
): Promise<unknown> {
  const { headers, status } = sent.response;
  const type = headers.get("content-type")?.toLowerCase() ?? "";
  // A stream that is continued has the format of the call that began it.
  const format = headers.get("x-stream-path") ?? path;
  const revive = reviverOf(format);
  if (isEventStream(headers))
    return (await import("../stream/open.ts")).openStream({ ...sent, idleTimeoutMs, revive, resume }, format);
  if (/^(application\/(octet-stream|pdf)|audio\/)/.test(type)) return sent.response.blob();
  const text = await sent.response.text();
  if (text === "") return undefined;
  if (type.startsWith("text/") && (HTML_PATHS.test(path) || !type.includes("html"))) return text;
  const value = parseJson(text);
  // No call returns null, so a null body is treated like one that isn't JSON.
  if (value === null) throw errorFrom(status, headers, text);
  return revive(value);
}

/** Parses JSON; null when the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
