import type { Prompt } from "@feather/sdk";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";

/** Whether prompts are texts for messages, or personas. */
export type PromptKind = Prompt["kind"];
/** Whose prompts are changed: the user's own, or those of the organization. */
export type PromptOwner = Prompt["owner"];

/** The prompts and personas that the user can use. */
export const promptsQuery = queries.prompts.list.queryOptions();

/** Returns the calls that change the prompts of an owner. */
export const writableBy = (owner: PromptOwner) =>
  owner === "organization" ? feather.organization.prompts : feather.prompts;
