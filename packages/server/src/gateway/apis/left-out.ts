import { toRecord } from "../formats/fields.ts";
import type { CallBody } from "../formats/parsed-request.ts";

/** A part of messages or tools that an API may have no place for, by its path in the format of chat completions. */
export type LeftOutPath = "messages.name" | "messages.image_url.detail" | "messages.reasoning_content" | "tools.strict";

/** Returns which of the parts that an API has no place for are in a call and ask for something. */
export function findLeftOut(paths: readonly LeftOutPath[], body: CallBody): LeftOutPath[] {
  if (paths.length === 0) return [];
  const found = new Set<LeftOutPath>();
  for (const message of Array.isArray(body.messages) ? body.messages : [])
    for (const path of listOfMessage(toRecord(message))) found.add(path);
  for (const tool of Array.isArray(body.tools) ? body.tools : [])
    if (toRecord(toRecord(tool).function).strict === true) found.add("tools.strict");
  return paths.filter((path) => found.has(path));
}

function listOfMessage({ name, content, reasoning_content: reasoning, reasoning_details: details }: Message) {
  const paths: LeftOutPath[] = [];
  if (typeof name === "string") paths.push("messages.name");
  // Signed reasoning has its text as well.
  if (typeof reasoning === "string" && reasoning !== "" && details === undefined)
    paths.push("messages.reasoning_content");
  for (const part of Array.isArray(content) ? content : []) {
    const { detail = "auto" } = toRecord(toRecord(part).image_url);
    if (detail !== "auto" && detail !== null) paths.push("messages.image_url.detail");
  }
  return paths;
}

type Message = Readonly<Record<string, unknown>>;
