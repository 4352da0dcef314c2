import { ANTHROPIC_API } from "./anthropic/anthropic-api.ts";
import { API_NAMES, type ApiName, DEFAULT_API, type UpstreamApi } from "./api.ts";
import { BEDROCK_API } from "./bedrock/bedrock-api.ts";
import { COHERE_API } from "./cohere/cohere-api.ts";
import { GEMINI_API } from "./gemini/gemini-api.ts";
import { OPENAI_API } from "./openai/openai-api.ts";
import { RESPONSES_API } from "./responses/responses-api.ts";
import { VERTEX_API } from "./vertex/vertex-api.ts";

/** The APIs that backends speak, by name. */
export const APIS: Readonly<Record<ApiName, UpstreamApi>> = {
  anthropic: ANTHROPIC_API,
  bedrock: BEDROCK_API,
  cohere: COHERE_API,
  gemini: GEMINI_API,
  openai: OPENAI_API,
  responses: RESPONSES_API,
  vertex: VERTEX_API,
};

/** Returns what is wrong with the form of a key for an API, as a sentence; null if nothing is. */
export function findKeyProblem(api: ApiName, key: string): string | null {
  return APIS[api].findKeyProblem?.(key) ?? null;
}

/** Returns the name of an API. */
export const nameOfApi = (api: UpstreamApi): ApiName => API_NAMES.find((name) => APIS[name] === api) ?? DEFAULT_API;
