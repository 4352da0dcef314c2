import type { Command } from "../../command.ts";
import {
  findOwned,
  ORGANIZATION_FLAG,
  PERSONA_FLAG,
  PROMPT_ARGUMENT,
  type PromptOptions,
  toPromptOptions,
  writableBy,
} from "./stored-prompt.ts";

/** Deletes a prompt or persona for good, after confirmation. */
export const promptsDelete: Command<PromptOptions> = {
  name: "prompts delete",
  summary: "Delete a prompt or a persona for good",
  description: "Chats that began with a persona stay as they are.",
  arguments: [PROMPT_ARGUMENT],
  flags: [PERSONA_FLAG, ORGANIZATION_FLAG],
  confirms: true,
  needs: "sign-in",
  examples: ["feather prompts delete Translate --yes", "feather prompts delete Reviewer --persona"],
  options: toPromptOptions,
  async run({ client, confirm, output, signal }, options) {
    const api = await client();
    const { id, name } = findOwned((await api.prompts.list({ signal })).items, options);
    await confirm(async () => `Delete ${name} for good${options.owner === "organization" ? ", for all members" : ""}?`);
    await writableBy(api, options.owner).delete(id, { signal });
    output.info(`Deleted ${name}.`);
  },
};
