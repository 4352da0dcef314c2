import { mayHoldInexactNumbers, rememberNumber } from "../../platform/core/exact-json.ts";

/** Matches arguments of a tool call that are an object or a list instead of JSON text. */
const PARSED_ARGUMENTS = /"arguments"\s*:\s*[{[]/;

/**
 * Parses a backend's JSON. If the arguments of tool calls are objects, their numbers keep the original spelling for
 * `toExactJson`. Most backends send a text instead, and are not slowed down. Throws `SyntaxError`.
 */
export function parseBackendJson(text: string): unknown {
  // Hardly any chunk of a stream has the word, and a search for it is much faster than either pattern.
  const isExact = text.includes('"arguments"') && PARSED_ARGUMENTS.test(text) && mayHoldInexactNumbers(text);
  return isExact ? JSON.parse(text, rememberNumber) : JSON.parse(text);
}
