import { z } from "zod";
import { fromJson, httpUrl, onOff, type SettingDeclarations, type SettingsOf } from "../../platform/core/settings.ts";
import { API_NAMES } from "../apis/api.ts";
import { modelAliases } from "./aliases.ts";

const backend = z.strictObject({
  name: z.string().min(1).max(64),
  base_url: httpUrl,
  api: z.enum(API_NAMES).optional(),
  api_key: z.string().optional(),
  models: z.array(z.string()).default([]),
  aliases: modelAliases.default([]),
  weight: z.number().positive().default(1),
  parameters: z.array(z.string().min(1).max(64)).optional(),
});

/** A configured backend: an address, the API that it speaks, and the models to use (all that it lists if empty). */
export type BackendSetting = z.infer<typeof backend>;

/** The backends of the operator. */
export const backendSettings = {
  configured: {
    env: "FEATHER_BACKENDS",
    doc: 'Backends, as JSON: [{"name","base_url","api":"openai, anthropic, gemini or bedrock","api_key","models":["its name there"],"aliases":[{"name":"its name there","as":"owner/name"}],"weight"}].',
    schema: fromJson(z.array(backend)),
    default: "[]",
  },
  discover: {
    env: "FEATHER_DISCOVER",
    doc: "Whether to look on this machine for running Ollama, LM Studio, llama-server and vLLM, and to trust what answers there. By default on where only this machine can reach the server, otherwise off.",
    schema: onOff.optional(),
    default: undefined,
    defaultByExposure: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of backends. */
export type BackendSettings = SettingsOf<typeof backendSettings>;
