import { isRecord } from "../../usage/reported-usage.ts";
import type { Fields } from "../fields.ts";
import type { WholeCall } from "../format.ts";
import type { CallBody, ParsedRequest } from "../parsed-request.ts";
import { estimatePromptTokens } from "../token-estimates.ts";
import { toRanking } from "./format.ts";

/**
 * Reads a request to order texts. Backends get the texts alone: how many of the best are returned, and whether with their
 * texts, is decided here, because programs and providers have different fields for it or none.
 */
export function readRerankRequest(given: CallBody): ParsedRequest {
  const { top_n: limit, return_documents: withTexts, documents, ...body } = given;
  const texts = Array.isArray(documents) ? documents.map(readText) : [];
  const options = { limit: typeof limit === "number" ? limit : texts.length, withTexts: withTexts === true };
  const sent = { ...body, documents: texts };
  const toWhole = (call: WholeCall, raw: Fields) =>
    toRanking(call, raw, { ...options, texts, estimateTokens: () => estimatePromptTokens(sent) });
  return { kind: "rerank", body: sent, ignored: [], format: { toWhole } };
}

function readText(document: unknown): string {
  return typeof document === "string" ? document : String(isRecord(document) ? document.text : "");
}
