import { mayHoldInexactNumbers, rememberNumber } from "../../core/exact-json.ts";

/** Arguments of a call that are an object or a list instead of JSON text. */
const PARSED_ARGUMENTS = /"arguments"\s*:\s*[{[]/;

/**
 * Parses what a backend sent. Where the arguments of calls are objects, their numbers are remembered as they were written,
 * for `toExactJson`: most backends send a text instead, and are not slowed down. Throws `SyntaxError`.
 */
export function parseBackendJson(text: string): unknown {
  const isExact = mayHoldInexactNumbers(text) && PARSED_ARGUMENTS.test(text);
  return isExact ? JSON.parse(text, rememberNumber) : JSON.parse(text);
}
