import type { Prompt } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { sanitizeJson } from "../../output/sanitize.ts";
import { ORGANIZATION_FLAG } from "./stored-prompt.ts";

/** Prints prompts and personas as JSON, which `prompts import` reads. */
export const promptsExport: Command<{ readonly owner: Prompt["owner"] }> = {
  name: "prompts export",
  summary: "Print your prompts and personas as JSON, or the organization's",
  flags: [ORGANIZATION_FLAG],
  needs: "sign-in",
  examples: ["feather prompts export > prompts.json", "feather prompts export --organization > prompts.json"],
  options: (_, { organization }) => ({ owner: organization === true ? "organization" : "person" }),
  async run({ client, output, signal }, { owner }) {
    const { items } = await (await client()).prompts.list({ signal });
    const prompts = items
      .filter((one) => one.owner === owner)
      .map(({ kind, name, text, model, settings }) => ({ kind, name, text, model, settings }));
    output.print(sanitizeJson(JSON.stringify({ prompts }, null, 2)));
    output.info(`Exported ${prompts.length}.`);
  },
};
