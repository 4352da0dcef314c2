import type { Feather, Prompt } from "@feather/sdk";
import type { Flag, FlagValues } from "../../command-line.ts";
import { findByName } from "../../find-by-name.ts";

/** Fields that `--json` accepts. */
export const PROMPT_FIELDS = [
  ...(["id", "kind", "name", "text", "model", "settings", "owner", "version", "updated_by_name"] as const),
  "updated_at",
] as const satisfies readonly (keyof Prompt)[];

/** Chooses between texts for messages and personas. */
export const PERSONA_FLAG: Flag = { name: "--persona", summary: "a persona: instructions, with a model and settings" };
/** Chooses between one's own and those of the organization. */
export const ORGANIZATION_FLAG: Flag = {
  name: "--organization",
  summary: "of the organization; only its admins change those",
};
/** The argument that names a prompt. */
export const PROMPT_ARGUMENT = { name: "<name>", summary: "its name: feather prompts list" } as const;

/** Which prompt, and whose. */
export type PromptOptions = { readonly name: string; readonly kind: Prompt["kind"]; readonly owner: Prompt["owner"] };

/** Reads the name of a prompt, its kind, and whose it is. */
export const toPromptOptions = ([name = ""]: readonly string[], flags: FlagValues): PromptOptions => ({
  name,
  kind: flags.persona === true ? "persona" : "message",
  owner: flags.organization === true ? "organization" : "person",
});

/** Returns the calls that change one's own prompts, or those of the organization. */
export const writableBy = (feather: Feather, owner: Prompt["owner"]) =>
  owner === "organization" ? feather.organization.prompts : feather.prompts;

/** What a prompt of a kind is called in errors. */
const NOUNS: Readonly<Record<Prompt["kind"], string>> = { message: "prompt", persona: "persona" };

/** Finds a prompt of an owner among those that were listed. Throws `ResourceNotFoundError`. */
export const findOwned = (items: readonly Prompt[], { name, kind, owner }: PromptOptions): Prompt =>
  findByName(
    name,
    items.filter((one) => one.kind === kind && one.owner === owner),
    { noun: NOUNS[kind], list: "feather prompts list" },
  );

/** Finds a prompt that can be used: one's own goes before one of the organization. Throws `ResourceNotFoundError`. */
export function findUsable(items: readonly Prompt[], name: string, kind: Prompt["kind"]): Prompt {
  const own = items.find((one) => one.name === name && one.kind === kind && one.owner === "person");
  const usable = items.filter((one) => one.kind === kind && one.id !== own?.id);
  return own ?? findByName(name, usable, { noun: NOUNS[kind], list: "feather prompts list" });
}
