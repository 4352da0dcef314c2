import { parseForCarrying } from "../../../platform/core/exact-json.ts";
import { isRecord } from "../../usage/reported-usage.ts";

/**
 * Returns the input of a call, which must be an object in Anthropic's API. Arguments that are not an object (invalid JSON
 * or a list) are put into one unchanged; blank ones and null become an empty object.
 */
export function toInput(text: string): object {
  const given = text.trim();
  if (given === "" || given === "null") return {};
  return parseObject(given) ?? { arguments: text };
}

/** Returns whether a text is a complete JSON object. */
export function isWholeObject(text: string): boolean {
  return text.trimEnd().endsWith("}") && parseObject(text) !== null;
}

function parseObject(text: string): object | null {
  try {
    const value = parseForCarrying(text);
    return isRecord(value) && text.trimStart().startsWith("{") ? value : null; // a number that is carried is an object too
  } catch {
    return null;
  }
}
