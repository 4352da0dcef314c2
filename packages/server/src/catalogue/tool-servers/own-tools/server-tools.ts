import type { components } from "@feather/openapi/schema";
import { z } from "zod";
import { defineTool, type OwnCall, type OwnTool, toObjectResult, toTextResult } from "./own-tool.ts";
import { ToolFailure } from "./tool-failure.ts";

type Model = components["schemas"]["Model"];
type ModelList = { items: Model[]; pagination: { total_items: number } };
type ActivitySummary = components["schemas"]["ActivitySummary"];
type ChatCompletion = {
  choices: { message: { content: string | null }; finish_reason: string | null }[];
  usage?: { prompt_tokens: number; completion_tokens: number };
};

const MAX_MODELS = 25;
const MAX_ID_CHARACTERS = 200;
const MAX_PROMPT_CHARACTERS = 400_000;
const MAX_ANSWER_TOKENS = 32_768;
const MAX_PAGE_CHARACTERS = 100_000;
const NANO_PER_USD = 1_000_000_000;
const DAY_S = 86_400;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 365;

const modelId = z
  .string()
  .min(1)
  .max(MAX_ID_CHARACTERS)
  // Half of a surrogate pair has no form in an address, and dots alone would name another address.
  .refine((id) => id.isWellFormed() && !/^\.{1,2}$/.test(id), "It is no id of a model.")
  .describe("The model's id, such as Qwen/Qwen3-32B.");

const searchModels = defineTool({
  name: "search_models",
  title: "Search models",
  description: "Lists the language models of this server, with size, context and whether they answer now.",
  scope: null,
  isReadOnly: true,
  isOpenWorld: false,
  arguments: z.strictObject({
    search: z.string().min(1).max(100).optional().describe("Words in the id or description; left out for all."),
    answers_now: z.boolean().optional().describe("Only models that are loaded and answer at once."),
  }),
  async run({ search, answers_now: isWarm }, call) {
    const query = {
      perPage: String(MAX_MODELS),
      ...(search !== undefined && { search }),
      ...(isWarm === true && { availability: "warm" }),
    };
    const { items, pagination } = await get<ModelList>("/api/feather/models", call, query);
    return toObjectResult({ total: pagination.total_items, models: items.map(toListedModel) });
  },
});

const describeModel = defineTool({
  name: "describe_model",
  title: "Describe a model",
  description: "Returns what this server knows of a model: what it can do, where it answers, and its prices.",
  scope: null,
  isReadOnly: true,
  isOpenWorld: false,
  arguments: z.strictObject({ model: modelId }),
  async run({ model }, call) {
    const { readme: _, ...found } = await get<Model & { readme?: unknown }>(
      `/api/feather/models/${encodeURIComponent(model)}`,
      call,
    );
    return toObjectResult(found);
  },
});

const askModel = defineTool({
  name: "ask_model",
  title: "Ask a model",
  description:
    "Sends a prompt to a model of this server and returns its answer. It is charged and limited like any other call of the caller.",
  scope: "api.access",
  isReadOnly: false,
  isOpenWorld: false,
  arguments: z.strictObject({
    model: modelId,
    prompt: z.string().min(1).max(MAX_PROMPT_CHARACTERS).describe("What the model is asked."),
    system: z.string().min(1).max(MAX_PROMPT_CHARACTERS).optional().describe("How the model should answer."),
    max_tokens: z.int().min(1).max(MAX_ANSWER_TOKENS).optional().describe("The most tokens of the answer."),
  }),
  async run({ model, prompt, system, max_tokens }, { send, signal }) {
    const messages = [
      ...(system === undefined ? [] : [{ role: "system", content: system }]),
      { role: "user", content: prompt },
    ];
    const body = { model, messages, ...(max_tokens !== undefined && { max_tokens }) };
    const text = await send({ method: "POST", path: "/api/v1/chat/completions", body }, signal);
    const { choices, usage } = JSON.parse(text) as ChatCompletion;
    const answer = choices[0]?.message.content ?? "";
    if (answer === "") throw new ToolFailure("The model answered without a text.");
    return { ...toTextResult(answer), ...(usage !== undefined && { _meta: { usage } }) };
  },
});

/** Creates the tool that sums what was used, up to a moment. */
const createReadUsage = (now: () => Date): OwnTool =>
  defineTool({
    name: "read_usage",
    title: "Read usage",
    description: "Returns the requests, tokens and costs in US dollars of the caller's organization in the last days.",
    scope: "api.access",
    isReadOnly: true,
    isOpenWorld: false,
    arguments: z.strictObject({
      days: z.int().min(1).max(MAX_DAYS).default(DEFAULT_DAYS).describe("How many days, up to now."),
    }),
    async run({ days }, call) {
      const end = Math.ceil(now().getTime() / 1000);
      const query = { start: String(end - days * DAY_S), end: String(end) };
      const { totals } = await get<ActivitySummary>("/api/usage/activity/summary", call, query);
      return toObjectResult({
        days,
        requests: totals.request_count,
        input_tokens: totals.input_tokens,
        output_tokens: totals.output_tokens,
        cost_usd: Number(totals.total_cost_nano_usd) / NANO_PER_USD,
      });
    },
  });

const readDocs = defineTool({
  name: "read_docs",
  title: "Read the documentation",
  description:
    "Returns a page of this server's documentation in Markdown; without a page, the list of pages with what each is about.",
  scope: null,
  isReadOnly: true,
  isOpenWorld: false,
  arguments: z.strictObject({
    page: z
      .string()
      .max(60)
      .regex(/^[a-z0-9-]+$/)
      .optional()
      .describe("The page's name in its address, such as streaming."),
  }),
  async run({ page }, { send, signal }) {
    const text = await send({ method: "GET", path: page === undefined ? "/llms.txt" : `/docs/${page}.md` }, signal);
    return toTextResult(text.slice(0, MAX_PAGE_CHARACTERS));
  },
});

/** Creates the tools that work with this server: its models, usage and documentation. */
export const createServerTools = (now: () => Date): readonly OwnTool[] => [
  searchModels,
  describeModel,
  askModel,
  createReadUsage(now),
  readDocs,
];

async function get<Answer>(path: string, { send, signal }: OwnCall, query?: Record<string, string>): Promise<Answer> {
  return JSON.parse(await send({ method: "GET", path, ...(query && { query }) }, signal)) as Answer;
}

function toListedModel({ id, description, parameter_size, context_length, availability }: Model) {
  return { id, description, parameters: parameter_size, context_tokens: context_length, state: availability.tier };
}
