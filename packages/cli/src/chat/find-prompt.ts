import type { Prompt } from "@feather/sdk";
import { findByName } from "../find-by-name.ts";

/** What a prompt of a kind is called in errors. */
export const PROMPT_NOUNS: Readonly<Record<Prompt["kind"], string>> = { message: "prompt", persona: "persona" };

/** Finds a prompt that can be used: one's own goes before one of the organization. Throws `ResourceNotFoundError`. */
export function findUsable(items: readonly Prompt[], name: string, kind: Prompt["kind"]): Prompt {
  const own = items.find((one) => one.name === name && one.kind === kind && one.owner === "person");
  const usable = items.filter((one) => one.kind === kind && one.id !== own?.id);
  return own ?? findByName(name, usable, { noun: PROMPT_NOUNS[kind], list: "feather prompts list" });
}
