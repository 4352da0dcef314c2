import { reviveDates } from "./dates.ts";
import { errorFrom } from "./errors.ts";
import { bodyOf, type Sent } from "./transport.ts";

/** Paths whose responses follow OpenAI's or Anthropic's formats: their fields are never revived as dates. */
const FOREIGN = /\/(completions|embeddings|responses|messages)$/;
/** Paths that return HTML. HTML from any other path means that something other than the API responded. */
const PAGES = /\/(page|test-payments\/\*)$/;

/**
 * Returns the body of a response by its content type: a stream of events, JSON with dates revived, or text; `undefined` for
 * an empty body. Throws an `ApiError` when a JSON body cannot be parsed.
 */
export async function read(sent: Sent, path: string): Promise<unknown> {
  const { headers, status } = sent.response;
  const type = headers.get("content-type") ?? "";
  const revive = FOREIGN.test(path) ? (value: unknown) => value : reviveDates;
  if (type.startsWith("text/event-stream")) {
    sent.stopClock();
    return (await import("./stream/open.ts")).openStream(sent, path, revive);
  }
  const text = await bodyOf(sent);
  if (text === "") return undefined;
  if (type.startsWith("text/") && (PAGES.test(path) || !type.includes("html"))) return text;
  const value = jsonOf(text);
  // No call returns null, so a null body is treated like one that isn't JSON.
  if (value === null) throw errorFrom(status, headers, text.startsWith("<") ? text : "");
  return revive(value);
}

/** Parses JSON; null when the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
