import { hash } from "node:crypto";
import type { ParsedRequest } from "../formats/parsed-request.ts";
import { isRecord } from "../usage/reported-usage.ts";

/** The beginning of a prompt in blocks, by which it is found at the backends that have evaluated it before. */
export type PromptBlocks = {
  /** For each block a hash of the prompt up to its end. The text after the last whole block is left out. */
  hashes: readonly string[];
  /** A hash of the prompt up to the first message of the user, which all calls of a conversation share. */
  opening: string;
};

/** Characters of a block, about 64 tokens. */
const BLOCK_CHARACTERS = 256;
/** Blocks of one prompt. What follows is not considered. */
const MAX_BLOCKS = 1_024;
const MAX_CHARACTERS = BLOCK_CHARACTERS * MAX_BLOCKS;
/** Characters of the beginning of a prompt that tell conversations apart. */
const OPENING_CHARACTERS = 4_096;

/**
 * Returns the blocks of a call's prompt; null for calls whose prompt no backend caches. Prompts of different models have no
 * block in common.
 */
export function toPromptBlocks(
  { kind, body }: Pick<ParsedRequest, "kind" | "body">,
  modelKey: string,
): PromptBlocks | null {
  const prompt = readPrompt(kind, body);
  if (prompt === null) return null;
  const { text, openingEnd } = prompt;
  const hashes: string[] = [];
  let before = modelKey;
  for (let end = BLOCK_CHARACTERS; end <= text.length; end += BLOCK_CHARACTERS) {
    before = toHash(before + text.slice(end - BLOCK_CHARACTERS, end));
    hashes.push(before);
  }
  return { hashes, opening: toHash(modelKey + text.slice(0, Math.min(openingEnd, OPENING_CHARACTERS))) };
}

/** The text of a prompt as far as it is considered, and where its first message of the user ends. */
type Prompt = { text: string; openingEnd: number };

function readPrompt(kind: ParsedRequest["kind"], { messages, prompt, tools }: ParsedRequest["body"]): Prompt | null {
  if (kind === "completion")
    return typeof prompt === "string" ? { text: prompt.slice(0, MAX_CHARACTERS), openingEnd: prompt.length } : null;
  if (kind !== "chat" || !Array.isArray(messages)) return null;
  let text = Array.isArray(tools) ? JSON.stringify(tools) : ""; // templates put tools before the messages
  let openingEnd: number | null = null;
  for (const message of messages) {
    if (text.length >= MAX_CHARACTERS) break;
    if (!isRecord(message)) continue;
    text += toText(message);
    if (message.role === "user") openingEnd ??= text.length;
  }
  return { text: text.slice(0, MAX_CHARACTERS), openingEnd: openingEnd ?? text.length };
}

/** Returns what the model reads of a message. */
function toText({ role, content, tool_calls }: Record<string, unknown>): string {
  const parts = Array.isArray(content) ? content.map(toPartText).join("\n") : limit(content);
  return `\n${String(role)}:${parts}${Array.isArray(tool_calls) ? JSON.stringify(tool_calls) : ""}`;
}

function toPartText(part: unknown): string {
  if (!isRecord(part)) return "";
  const { text, image_url: image } = part;
  return limit(text ?? (isRecord(image) ? image.url : image));
}

/** Pictures are in the request as text, which may be much longer than what is considered. */
const limit = (text: unknown): string => (typeof text === "string" ? text.slice(0, MAX_CHARACTERS) : "");

const toHash = (text: string): string => hash("sha1", text, "base64url");
