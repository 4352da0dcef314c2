import { isRecord } from "../usage/reported-usage.ts";

const TEXT_PARTS: ReadonlySet<unknown> = new Set(["text", "output_text"]);
const REASONING_PARTS: ReadonlySet<unknown> = new Set(["thinking", "reasoning", "reasoning_text"]);

/** The texts of a message or delta, by kind. Empty if it has none. */
type MessageTexts = { content: string; reasoning: string; refusal: string };

/**
 * Normalizes the texts of a backend's message or delta, in place. `content` and `refusal` become strings or are removed.
 * The reasoning gets both of its names, since clients read one or the other. Backends send null for missing texts, and
 * lists of parts instead of a text; parts that are neither text, reasoning nor refusal are left out.
 */
export function normalizeTexts(part: Record<string, unknown>): void {
  if (Array.isArray(part.content) || isRecord(part.content)) spreadParts(part);
  if (part.content !== undefined && typeof part.content !== "string") delete part.content;
  if (part.refusal !== undefined && typeof part.refusal !== "string") delete part.refusal;
  setReasoning(part, readReasoning(part));
}

/** Moves the texts in a list of parts to the fields of their kinds. */
function spreadParts(part: Record<string, unknown>): void {
  const texts: MessageTexts = { content: "", reasoning: "", refusal: "" };
  collectTexts(part.content, "content", texts);
  part.content = texts.content;
  if (texts.refusal !== "") part.refusal = `${typeof part.refusal === "string" ? part.refusal : ""}${texts.refusal}`;
  if (texts.reasoning !== "") setReasoning(part, `${readReasoning(part) ?? ""}${texts.reasoning}`);
  if (texts.content === "" && (texts.reasoning !== "" || texts.refusal !== "")) delete part.content;
}

function readReasoning({ reasoning_content, reasoning }: Record<string, unknown>): string | null {
  if (typeof reasoning_content === "string" && reasoning_content !== "") return reasoning_content;
  if (typeof reasoning === "string" && reasoning !== "") return reasoning;
  return typeof reasoning_content === "string" || typeof reasoning === "string" ? "" : null;
}

function setReasoning(part: Record<string, unknown>, text: string | null): void {
  if (text !== null) {
    part.reasoning_content = text;
    part.reasoning = text;
    return;
  }
  if (part.reasoning_content !== undefined) delete part.reasoning_content;
  if (part.reasoning !== undefined && !isRecord(part.reasoning)) delete part.reasoning;
}

/** Appends every text in a part, or in a list of parts, to the texts of its kind. */
function collectTexts(value: unknown, kind: keyof MessageTexts, texts: MessageTexts): void {
  if (typeof value === "string") texts[kind] += value;
  else if (Array.isArray(value)) for (const part of value) collectTexts(part, kind, texts);
  else if (isRecord(value)) collectPart(value, kind, texts);
}

function collectPart(part: Record<string, unknown>, kind: keyof MessageTexts, texts: MessageTexts): void {
  const { type, text, thinking, reasoning, refusal, content } = part;
  if (type === undefined || TEXT_PARTS.has(type)) collectTexts(text, kind, texts);
  else if (REASONING_PARTS.has(type)) collectTexts(thinking ?? reasoning ?? text ?? content, "reasoning", texts);
  else if (type === "refusal") collectTexts(refusal ?? text, "refusal", texts);
}
