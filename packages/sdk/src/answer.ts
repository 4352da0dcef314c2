import { reviveDates } from "./dates.ts";
import { errorFrom } from "./errors.ts";
import { bodyOf, type Sent } from "./transport.ts";

/** Answers of models are theirs to shape: only our own fields follow the rule of dates. */
const FOREIGN = /\/(completions|embeddings|responses|messages)$/;
/** Calls that answer a web page. From any other it comes from something that is not the API. */
const PAGES = /\/(page|test-payments\/\*)$/;

/** What an answer holds, by its type: events, JSON with dates, or text. Nothing for an empty one. */
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
  // No call answers null: it is as unreadable as what is no JSON at all.
  if (value === null) throw errorFrom(status, headers, text.startsWith("<") ? text : "");
  return revive(value);
}

/** The JSON of a text; null where it is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
