import { z } from "zod";
import { fromJson, httpUrl, onOff, type SettingDeclarations, type SettingsOf } from "../../platform/core/settings.ts";
import { API_NAMES, DEFAULT_API } from "../apis/api.ts";
import { findKeyProblem } from "../apis/apis.ts";
import { modelAliases } from "./aliases.ts";
import { type BackendKeySpec, labelKeys, MAX_KEYS, MAX_LABEL_CHARACTERS } from "./backend-keys.ts";

/** One of several keys of a backend. A text is a key without a label, with the weight 1. */
const backendKey = z.union([
  z
    .string()
    .min(1)
    .transform((key) => ({ key, label: undefined, weight: 1 })),
  z.strictObject({
    key: z.string().min(1),
    label: z.string().min(1).max(MAX_LABEL_CHARACTERS).optional(),
    weight: z.number().positive().default(1),
  }),
]);

const backend = z
  .strictObject({
    name: z.string().min(1).max(64),
    base_url: httpUrl,
    api: z.enum(API_NAMES).optional(),
    api_key: z.string().optional(),
    api_keys: z.array(backendKey).min(1).max(MAX_KEYS).optional(),
    models: z.array(z.string()).default([]),
    aliases: modelAliases.default([]),
    weight: z.number().positive().default(1),
    parameters: z.array(z.string().min(1).max(64)).optional(),
  })
  .superRefine(({ api = DEFAULT_API, api_key, api_keys = [] }, context) => {
    const labels = labelKeys(api_keys).map(({ label }) => label);
    if (api_key !== undefined && api_keys.length > 0)
      context.addIssue({ code: "custom", message: "has both api_key and api_keys" });
    if (new Set(labels).size < labels.length)
      context.addIssue({ code: "custom", message: "has two keys of one label" });
    for (const key of [...(api_key === undefined ? [] : [api_key]), ...api_keys.map((one) => one.key)]) {
      const problem = findKeyProblem(api, key);
      if (problem !== null) context.addIssue({ code: "custom", message: problem });
    }
  });

/** A configured backend: an address, the API that it speaks, and the models to use (all that it lists if empty). */
export type BackendSetting = z.infer<typeof backend>;

/** Returns the keys of a configured backend. */
export function toKeySpecs({ api_key, api_keys }: Pick<BackendSetting, "api_key" | "api_keys">): BackendKeySpec[] {
  return labelKeys(api_keys ?? (api_key === undefined ? [] : [{ key: api_key, label: undefined, weight: 1 }]));
}

/** The backends of the operator. */
export const backendSettings = {
  configured: {
    env: "FEATHER_BACKENDS",
    doc: 'Backends, as JSON: [{"name","base_url","api":"openai, responses, anthropic, gemini, bedrock, cohere or vertex","api_key" or "api_keys":["a key",{"key","label","weight"}],"models":["its name there"],"aliases":[{"name":"its name there","as":"owner/name"}],"weight"}].',
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
