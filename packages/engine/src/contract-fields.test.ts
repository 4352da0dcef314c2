import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createTemporaryFolder,
  demoModelPath,
  type ServedEngine,
  sendRequest,
  serveModel,
} from "./testing/engine-process.ts";
import { CALL_OPENING, TOOL_TEMPLATE, writeReasoningModel, writeSpeakingModel } from "./testing/toy-models.ts";

const folder = createTemporaryFolder();
const engines = new Map<ModelName, ServedEngine>();

beforeAll(async () => {
  const [callingModel, reasoningModel] = [`${folder.path}/calling.gguf`, `${folder.path}/reasoning.gguf`];
  // It calls its tool again and again.
  writeSpeakingModel(callingModel, { template: TOOL_TEMPLATE, start: ">", pieces: ["\n", CALL_OPENING, "lookup"] });
  writeReasoningModel(reasoningModel);
  engines.set("demo", await serveModel(demoModelPath()));
  engines.set("calling", await serveModel(callingModel));
  engines.set("reasoning", await serveModel(reasoningModel));
});
afterAll(async () => {
  for (const engine of engines.values()) await engine[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

type ModelName = "demo" | "calling" | "reasoning";
/** A value of a field, with which the answer must differ from the one `without` it. */
type Effect = { value: unknown; without?: object; model?: ModelName };

const SAMPLED = { temperature: 1, seed: 5 };
const TOOL = {
  type: "function",
  function: { name: "lookup", parameters: { properties: { city: { type: "string" } } } },
};
const CALLING = { model: "calling", without: { tools: [TOOL], temperature: 0, max_tokens: 120 } } as const;
/** Tokens that the demonstration model says only when they are made likely. */
const [RARE, RARER] = [92, 91];
const SAYS_RARE = { logit_bias: { [RARE]: 100 }, temperature: 0, max_tokens: 5 };
/** Any penalty makes the second likelier once the first was said. */
const REPEATS = { logit_bias: { [RARE]: 100, [RARER]: 99 }, temperature: 0, max_tokens: 5 };

const SHARED_EFFECTS: Record<string, Effect> = {
  temperature: { value: 0, without: SAMPLED },
  top_p: { value: 0.01, without: SAMPLED },
  top_k: { value: 1, without: SAMPLED },
  min_p: { value: 1, without: SAMPLED },
  seed: { value: 6, without: SAMPLED },
  presence_penalty: { value: 2, without: REPEATS },
  frequency_penalty: { value: 2, without: REPEATS },
  repetition_penalty: { value: 2, without: REPEATS },
  logit_bias: { value: { [RARE]: 100 } },
  stop: { value: ["demonstration"] },
  include_stop_str_in_output: { value: true, without: { temperature: 0, stop: ["demonstration"] } },
  stop_token_ids: { value: [RARE], without: SAYS_RARE },
  max_tokens: { value: 3 },
  min_tokens: { value: 150, without: { temperature: 0, max_tokens: 200 } },
  n: { value: 2 },
  stream: { value: true },
  stream_options: { value: { include_usage: true }, without: { temperature: 0, stream: true } },
};

const CHAT_EFFECTS: Record<string, Effect> = {
  ...SHARED_EFFECTS,
  messages: { value: [{ role: "user", content: "A longer question" }] },
  max_completion_tokens: { value: 3 },
  logprobs: { value: true },
  top_logprobs: { value: 2, without: { temperature: 0, logprobs: true } },
  tools: { value: [TOOL], model: "calling", without: { temperature: 0, max_tokens: 120 } },
  tool_choice: { ...CALLING, value: "none" },
  parallel_tool_calls: { ...CALLING, value: false },
  response_format: { value: { type: "json_object" } },
  reasoning_effort: { value: "low", model: "reasoning" },
  chat_template_kwargs: { value: { enable_thinking: false }, model: "reasoning" },
};

const COMPLETION_EFFECTS: Record<string, Effect> = {
  ...SHARED_EFFECTS,
  prompt: { value: "A longer beginning" },
  echo: { value: true },
  logprobs: { value: 1 },
};

/** Fields that change nothing in the answer: the model's name, and fields that only identify the caller. */
const WITHOUT_EFFECT = ["model", "user", "metadata"];
/** Fields that the gateway reads and sends to no backend: which model or backend answers. */
const READ_BY_GATEWAY = ["models", "provider"];
const REFUSED: Record<string, unknown> = { suffix: "." };

function fieldsOf(schema: string): string[] {
  const text = readFileSync(join(import.meta.dirname, `../../../openapi/schemas/chat/${schema}.yaml`), "utf8");
  const properties = text.slice(text.indexOf("\nproperties:"));
  return [...properties.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name ?? "");
}

async function answer(path: string, model: ModelName, body: object): Promise<{ status: number; text: string }> {
  const defaults = { messages: [{ role: "user", content: "Hi" }], prompt: "Hi" };
  const { status, body: text } = await sendRequest(engines.get(model)?.socket ?? "", path, { ...defaults, ...body });
  return { status, text: text.replaceAll(/"(id|created)":("[\w-]+"|\d+)/g, "") };
}

const CASES = [
  { schema: "ChatCompletionRequest", path: "/v1/chat/completions", effects: CHAT_EFFECTS },
  { schema: "CompletionRequest", path: "/v1/completions", effects: COMPLETION_EFFECTS },
];

test.each(CASES)("every field of $schema has an effect or is refused", ({ schema, effects }) => {
  const known = [...Object.keys(effects), ...WITHOUT_EFFECT, ...READ_BY_GATEWAY, ...Object.keys(REFUSED)];
  expect(fieldsOf(schema).filter((field) => !known.includes(field))).toEqual([]);
  expect(fieldsOf(schema).length).toBeGreaterThan(20);
});

const EFFECTS = CASES.flatMap(({ path, effects }) =>
  Object.entries(effects).map(([field, effect]) => ({ path, field, ...effect })),
);

test.each(EFFECTS)("$field changes the answer of $path", async ({ path, field, value, model = "demo", without }) => {
  const base = without ?? { temperature: 0 };
  const before = await answer(path, model, base);
  const after = await answer(path, model, { ...base, [field]: value });
  expect([before.status, after.status]).toEqual([200, 200]);
  expect(await answer(path, model, base)).toEqual(before);
  expect(after.text).not.toBe(before.text);
});

test.each(Object.entries(REFUSED))("%s is refused", async (field, value) => {
  const { status, text } = await answer("/v1/completions", "demo", { [field]: value });
  expect([status, JSON.parse(text).error]).toMatchObject([400, { code: "unsupported_parameter", param: field }]);
});
