import type { ChatTool } from "@feather/sdk";
import { t } from "@lingui/core/macro";
/** Numeric samplers: `min` and `max` limit the slider, `minInput` and `maxInput` the number field. */
export const SAMPLERS = [
  { name: "temperature", label: t`Temperature`, minInput: 0, min: 0, max: 2, maxInput: 2, step: 0.05, isPrimary: true },
  { name: "top_p", label: t`Top p`, minInput: 0.01, min: 0.05, max: 1, maxInput: 1, step: 0.05, isPrimary: true },
  { name: "min_p", label: t`Min p`, minInput: 0, min: 0, max: 1, maxInput: 1, step: 0.01, isPrimary: true },
  {
    name: "repetition_penalty",
    label: t`Repetition penalty`,
    minInput: 0.1,
    min: 1,
    max: 2,
    maxInput: 10,
    step: 0.05,
    isPrimary: true,
  },
  {
    name: "max_tokens",
    label: t`Max tokens`,
    minInput: 1,
    min: 16,
    max: 8192,
    maxInput: 1_000_000,
    step: 16,
    isPrimary: true,
  },
  { name: "top_k", label: t`Top k`, minInput: 0, min: 0, max: 200, maxInput: 100_000, step: 1, isPrimary: false },
  {
    name: "presence_penalty",
    label: t`Presence penalty`,
    minInput: -2,
    min: -2,
    max: 2,
    maxInput: 2,
    step: 0.05,
    isPrimary: false,
  },
  {
    name: "frequency_penalty",
    label: t`Frequency penalty`,
    minInput: -2,
    min: -2,
    max: 2,
    maxInput: 2,
    step: 0.05,
    isPrimary: false,
  },
  {
    name: "min_tokens",
    label: t`Min tokens`,
    minInput: 0,
    min: 0,
    max: 1024,
    maxInput: 1_000_000,
    step: 1,
    isPrimary: false,
  },
] as const;

/** Names of the numeric settings, as in the API. */
export type SamplerName = (typeof SAMPLERS)[number]["name"];

/** Settings edited as text and stored as typed. */
export const TEXT_SETTINGS = [
  { name: "stop", label: t`Stop texts`, hint: t`One a line, at most 16. They end the answer.`, rows: 2 },
  {
    name: "seed",
    label: t`Seed`,
    hint: t`A whole number: the same one gives the same answer where the model can.`,
    rows: 1,
  },
  { name: "stop_token_ids", label: t`Stop token ids`, hint: t`Whole numbers, by comma.`, rows: 1 },
  { name: "logit_bias", label: t`Logit bias`, hint: t`One a line: token id, colon, −100 to 100.`, rows: 2 },
  { name: "json_schema", label: t`JSON schema`, hint: t`What an answer as JSON of a schema looks like.`, rows: 4 },
  { name: "tools", label: t`Tools`, hint: t`JSON: a list of functions the model may call.`, rows: 4 },
] as const;

/** Names of the settings that are edited as text. */
export type TextSettingName = (typeof TEXT_SETTINGS)[number]["name"];

/** The settings of a conversation. */
export type ChatSettings = Record<SamplerName, number> &
  Record<TextSettingName, string> & {
    system: string;
    /** The name that the persona had with which the conversation began; empty for none. */
    persona: string;
    /** The names of the tools of servers that the model may ask for, one a line. */
    mcp_tools: string;
    /** The ids of the collections of documents that questions search, one a line. */
    collections: string;
    /** The tools that may be called without asking, one a line: the name, and what changes with its description. */
    approved_tools: string;
    include_stop_str_in_output: boolean;
    reasoning_effort: "" | "low" | "medium" | "high";
    thinking: "" | "on" | "off";
    tool_choice: "" | "none" | "required";
    format: "text" | "json_object" | "json_schema";
  };

/** Settings of a new conversation. */
export const DEFAULT_SETTINGS: ChatSettings = {
  system: "",
  persona: "",
  temperature: 0.7,
  top_p: 1,
  min_p: 0,
  repetition_penalty: 1,
  max_tokens: 1024,
  top_k: 0,
  presence_penalty: 0,
  frequency_penalty: 0,
  min_tokens: 0,
  stop: "",
  seed: "",
  stop_token_ids: "",
  logit_bias: "",
  json_schema: "",
  tools: "",
  mcp_tools: "",
  collections: "",
  approved_tools: "",
  include_stop_str_in_output: false,
  reasoning_effort: "",
  thinking: "",
  tool_choice: "",
  format: "text",
};

const INTEGER = /^-?\d{1,15}$/;
const nonEmptyLines = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

function isTool(value: unknown): value is ChatTool {
  const { type, function: calledFunction } = (value ?? {}) as { type?: unknown; function?: { name?: unknown } };
  return type === "function" && typeof calledFunction?.name === "string" && calledFunction.name !== "";
}

/** Parses a text setting to its value in the API; null if it is invalid. */
const PARSERS = {
  stop: (text: string) => (nonEmptyLines(text).length > 16 ? null : nonEmptyLines(text)),
  seed: (text: string) => (INTEGER.test(text.trim()) ? Number(text) : null),
  stop_token_ids: (text: string) => {
    const ids = text.split(/[\s,]+/).filter(Boolean);
    return ids.every((id) => /^\d{1,9}$/.test(id)) ? ids.map(Number) : null;
  },
  logit_bias: (text: string) => {
    const pairs = nonEmptyLines(text).map((line) => /^\s*(\d{1,9})\s*:\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(line));
    if (!pairs.every((pair) => pair !== null && Math.abs(Number(pair[2])) <= 100)) return null;
    return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? "", Number(pair?.[2])]));
  },
  json_schema: (text: string) => {
    const schema = parseJson(text);
    return typeof schema === "object" && !Array.isArray(schema) ? schema : null;
  },
  tools: (text: string) => {
    const tools = parseJson(text);
    return Array.isArray(tools) && tools.length > 0 && tools.length <= 128 && tools.every(isTool) ? tools : null;
  },
} as const;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns an error message for each invalid text setting. */
export function validateSettings(settings: ChatSettings): Partial<Record<TextSettingName, string>> {
  const invalid = TEXT_SETTINGS.filter(
    ({ name }) => settings[name].trim() !== "" && PARSERS[name](settings[name]) === null,
  );
  const errors = Object.fromEntries(invalid.map(({ name, label }) => [name, t`${label} is not valid.`]));
  const missing = settings.format === "json_schema" && settings.json_schema.trim() === "";
  return missing ? { ...errors, json_schema: t`JSON schema is missing.` } : errors;
}

/** Returns the request parameters. Settings that are off are omitted, for backends that do not know them. */
export function toParameters(settings: ChatSettings) {
  const { temperature, max_tokens, top_k, reasoning_effort, thinking, format } = settings;
  const parseSetting = <N extends TextSettingName>(name: N) =>
    settings[name].trim() === "" ? null : (PARSERS[name](settings[name]) as ReturnType<(typeof PARSERS)[N]>);
  const [stop, seed, stopIds, bias, schema, tools] = [
    parseSetting("stop"),
    parseSetting("seed"),
    parseSetting("stop_token_ids"),
    parseSetting("logit_bias"),
    parseSetting("json_schema"),
    parseSetting("tools"),
  ];
  return {
    temperature,
    max_tokens,
    ...(settings.top_p < 1 && { top_p: settings.top_p }),
    ...(top_k > 0 && { top_k }),
    ...(settings.min_p > 0 && { min_p: settings.min_p }),
    ...(settings.repetition_penalty !== 1 && { repetition_penalty: settings.repetition_penalty }),
    ...(settings.presence_penalty !== 0 && { presence_penalty: settings.presence_penalty }),
    ...(settings.frequency_penalty !== 0 && { frequency_penalty: settings.frequency_penalty }),
    ...(settings.min_tokens > 0 && { min_tokens: settings.min_tokens }),
    ...(stop !== null && { stop }),
    ...(seed !== null && { seed }),
    ...(stopIds !== null && { stop_token_ids: stopIds }),
    ...(bias !== null && { logit_bias: bias }),
    ...(tools !== null && { tools, ...(settings.tool_choice !== "" && { tool_choice: settings.tool_choice }) }),
    ...(settings.include_stop_str_in_output && { include_stop_str_in_output: true }),
    ...(reasoning_effort !== "" && { reasoning_effort }),
    ...(thinking !== "" && { chat_template_kwargs: { enable_thinking: thinking === "on" } }),
    ...(format === "json_object" && { response_format: { type: format } }),
    ...(format === "json_schema" &&
      schema !== null && { response_format: { type: format, json_schema: { name: "answer", schema } } }),
  };
}
