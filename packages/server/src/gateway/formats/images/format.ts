import { isRecord, parseReportedUsage, type ReportedUsage } from "../../usage/reported-usage.ts";
import type { Fields } from "../fields.ts";
import type { WholeAnswer } from "../format.ts";

/** Returns at most `count` pictures from a backend's JSON in OpenAI's form; null if it has none. */
export function toImages({ created, data, usage: given }: Fields, count: number): WholeAnswer | null {
  const images = (Array.isArray(data) ? data : []).flatMap((entry) => readImage(entry) ?? []).slice(0, count);
  if (images.length === 0) return null;
  const usage = readUsage(given);
  const counts = usage && {
    input_tokens: usage.prompt,
    output_tokens: usage.completion,
    total_tokens: usage.prompt + usage.completion,
  };
  const answer = { created: typeof created === "number" ? created : 0, data: images, ...(counts && { usage: counts }) };
  return { answer, usage: usage ?? NO_TOKENS, images: images.length };
}

/** Most backends count pictures, and no tokens. */
const NO_TOKENS: ReportedUsage = { prompt: 0, completion: 0, cached: null, given: {} };

function readImage(entry: unknown): Fields | null {
  if (!isRecord(entry)) return null;
  const { b64_json: file, url, revised_prompt: prompt } = entry;
  if (typeof file !== "string" && typeof url !== "string") return null;
  return {
    ...(typeof file === "string" && { b64_json: file }),
    ...(typeof url === "string" && { url }),
    ...(typeof prompt === "string" && { revised_prompt: prompt }),
  };
}

function readUsage(given: unknown): ReportedUsage | null {
  if (!isRecord(given)) return null;
  return parseReportedUsage({ prompt_tokens: given.input_tokens, completion_tokens: given.output_tokens });
}
