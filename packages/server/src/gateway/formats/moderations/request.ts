import { isRecord } from "../../usage/reported-usage.ts";
import type { Fields } from "../fields.ts";
import type { WholeAnswer, WholeCall } from "../format.ts";
import type { CallBody, ParsedRequest } from "../parsed-request.ts";
import { countPrompts } from "../token-estimates.ts";

/** Reads a request to classify texts, which backends accept unchanged. */
export function readModerationRequest(body: CallBody): ParsedRequest {
  const toWhole = (call: WholeCall, raw: Fields) => toModerations(call, raw, countPrompts(body));
  return { kind: "moderation", body, ignored: [], format: { toWhole } };
}

/** Returns the answer from a backend's JSON in OpenAI's form; null if that does not classify each of `count` texts. */
function toModerations({ id, model }: WholeCall, { results }: Fields, count: number): WholeAnswer | null {
  if (!Array.isArray(results) || results.length !== count || !results.every(isModeration)) return null;
  return { answer: { id: `modr-${id}`, model: model.id, results }, usage: null };
}

function isModeration(result: unknown): boolean {
  return (
    isRecord(result) &&
    typeof result.flagged === "boolean" &&
    isRecord(result.categories) &&
    isRecord(result.category_scores)
  );
}
