import { reviveDates } from "./dates.ts";
import { errorFrom } from "./errors.ts";
import { readText, type TransportResponse } from "./transport.ts";

/** Paths whose responses follow OpenAI's or Anthropic's formats: their fields are never revived as dates. */
const MODEL_RESPONSE_PATHS = /\/(completions|embeddings|responses|messages)$/;
/** Paths that return HTML. HTML from any other path means that something other than the API responded. */
const HTML_PATHS = /\/(page|test-payments\/\{\w+\})$/;

/**
 * Returns the body of a response by its content type: a stream of events, JSON with dates revived, or text; `undefined` for
 * an empty body. Throws an `ApiError` when a JSON body cannot be parsed.
 */
export async function readBody(sent: TransportResponse, path: string): Promise<unknown> {
  const { headers, status } = sent.response;
  const type = headers.get("content-type") ?? "";
  const revive = MODEL_RESPONSE_PATHS.test(path) ? (value: unknown) => value : reviveDates;
  if (type.startsWith("text/event-stream")) {
    sent.clearTimeLimit();
    return (await import("./stream/open.ts")).openStream(sent, path, revive);
  }
  const text = await readText(sent);
  if (text === "") return undefined;
  if (type.startsWith("text/") && (HTML_PATHS.test(path) || !type.includes("html"))) return text;
  const value = parseJson(text);
  // No call returns null, so a null body is treated like one that isn't JSON.
  if (value === null) throw errorFrom(status, headers, text.startsWith("<") ? text : "");
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
