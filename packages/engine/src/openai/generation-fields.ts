import { z } from "zod";
import type { Sampling } from "../model/engine-model.ts";
import { invalidRequest } from "./errors.ts";

/** llama.cpp's token ids are signed 32-bit integers. */
const MAX_TOKEN_ID = 2 ** 31 - 1;

/** The field by which requests that wait are ordered, lower ones first, as in vLLM. */
export const prioritySchema = z.int().min(-1000).max(1000).nullish();
/** The priority of requests without one. */
export const DEFAULT_PRIORITY = 0;

const penaltySchema = z.number().min(-2).max(2).nullish();

/** Fields that chat and text completions share. Null means "not set", since clients often send it. */
export const generationFields = {
  model: z.string().nullish(),
  priority: prioritySchema,
  temperature: z.number().min(0).max(100).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.int().min(-1).nullish(),
  min_p: z.number().min(0).max(1).nullish(),
  presence_penalty: penaltySchema,
  frequency_penalty: penaltySchema,
  repetition_penalty: z.number().positive().max(10).nullish(),
  repeat_penalty: z.number().positive().max(10).nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(16)]).nullish(),
  stop_token_ids: z.array(z.int().min(0).max(MAX_TOKEN_ID)).max(64).nullish(),
  include_stop_str_in_output: z.boolean().nullish(),
  max_tokens: z.int().min(1).nullish(),
  min_tokens: z.int().min(0).nullish(),
  n: z.int().min(1).max(8).nullish(),
  logit_bias: z.record(z.string().regex(/^\d+$/), z.number().min(-100).max(100)).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
};

/** Validated fields that chat and text completions share. */
export type GenerationFields = z.output<z.ZodObject<typeof generationFields>>;

/** Returns a number from 0 to 2^31 - 1; called once per request without a seed. */
export type CreateRandomSeed = () => number;

/** llama.cpp's seeds have 32 bits, and the highest one means "random". */
const SEED_RANGE = 2 ** 31;

/** Maps the fields of a request to sampling options, with OpenAI's defaults. */
export function toSampling(fields: GenerationFields, randomSeed: CreateRandomSeed): Sampling {
  const seed = fields.seed ?? randomSeed();
  return {
    temperature: fields.temperature ?? 1,
    // llama.cpp takes 0 as "nothing is allowed"; the closest to what the caller means is the top token alone.
    topP: fields.top_p === 0 ? Number.MIN_VALUE : (fields.top_p ?? 1),
    topK: Math.max(0, fields.top_k ?? 0),
    minP: fields.min_p ?? 0,
    presencePenalty: fields.presence_penalty ?? 0,
    frequencyPenalty: fields.frequency_penalty ?? 0,
    repetitionPenalty: fields.repetition_penalty ?? fields.repeat_penalty ?? 1,
    seed: ((seed % SEED_RANGE) + SEED_RANGE) % SEED_RANGE,
    logitBias: new Map(Object.entries(fields.logit_bias ?? {}).map(([id, bias]) => [Number(id), bias])),
  };
}

/** Returns the sampling of choice `index` of a request. Each choice has its own seed, so that they differ. */
export function toChoiceSampling(sampling: Sampling, index: number): Sampling {
  return { ...sampling, seed: (sampling.seed + index) % SEED_RANGE };
}

/** Returns the shortest reply in tokens. Throws if the longest one that was requested is shorter. */
export function toMinTokens(minTokens: number | null | undefined, maxTokens: number | undefined): number {
  if (minTokens && maxTokens !== undefined && minTokens > maxTokens) {
    throw invalidRequest(`min_tokens is ${minTokens}, more than max_tokens, which is ${maxTokens}.`, "min_tokens");
  }
  return minTokens ?? 0;
}

/** Returns the stop texts of a request, which may be one text or a list. */
export function toStopTexts(stop: GenerationFields["stop"]): string[] {
  return typeof stop === "string" ? [stop] : (stop ?? []);
}
