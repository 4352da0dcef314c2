import { ANTHROPIC_API } from "./anthropic/anthropic-api.ts";
import { API_NAMES, type ApiName, DEFAULT_API, type UpstreamApi } from "./api.ts";
import { BEDROCK_API } from "./bedrock/bedrock-api.ts";
import { GEMINI_API } from "./gemini/gemini-api.ts";
import { OPENAI_API } from "./openai/openai-api.ts";
import { RESPONSES_API } from "./responses/responses-api.ts";

/** The APIs that backends speak, by name. */
export const APIS: Readonly<Record<ApiName, UpstreamApi>> = {
  anthropic: ANTHROPIC_API,
  bedrock: BEDROCK_API,
  gemini: GEMINI_API,
  openai: OPENAI_API,
  responses: RESPONSES_API,
};

/** Returns the name of an API. */
export const nameOfApi = (api: UpstreamApi): ApiName => API_NAMES.find((name) => APIS[name] === api) ?? DEFAULT_API;
