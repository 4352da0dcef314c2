import { parseForCarrying } from "../../../core/exact-json.ts";
import { isRecord } from "../../reported-usage.ts";

/**
 * The input of a call, which must be an object in Anthropic's API. Arguments that are none (the model wrote no valid JSON,
 * or a list) stand in it as they are; blank ones and null are none.
 */
export function toInput(text: string): object {
  const given = text.trim();
  if (given === "" || given === "null") return {};
  return parseObject(given) ?? { arguments: text };
}

/** Whether a text is a whole JSON object. */
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
