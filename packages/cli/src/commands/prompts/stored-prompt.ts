import type { Feather, Prompt } from "@feather/sdk";
import { PROMPT_NOUNS } from "../../chat/find-prompt.ts";
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

/** Finds a prompt of an owner among those that were listed. Throws `ResourceNotFoundError`. */
export const findOwned = (items: readonly Prompt[], { name, kind, owner }: PromptOptions): Prompt =>
  findByName(
    name,
    items.filter((one) => one.kind === kind && one.owner === owner),
    { noun: PROMPT_NOUNS[kind], list: "feather prompts list" },
  );
