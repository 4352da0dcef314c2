import type { Prompt } from "@feather/sdk";
import { findUsable } from "../../chat/find-prompt.ts";
import type { Command } from "../../command.ts";
import { sanitize } from "../../output/sanitize.ts";
import { PERSONA_FLAG, PROMPT_ARGUMENT } from "./stored-prompt.ts";

/** Prints the text of a prompt, or the instructions of a persona. */
export const promptsShow: Command<{ readonly name: string; readonly kind: Prompt["kind"] }> = {
  name: "prompts show",
  summary: "Print a prompt, or with --json all of it",
  description: "One of yours goes before one of the organization with the same name.",
  arguments: [PROMPT_ARGUMENT],
  flags: [PERSONA_FLAG],
  prints: "json",
  needs: "sign-in",
  examples: ["feather prompts show Translate", "feather prompts show Reviewer --persona --json"],
  options: ([name = ""], { persona }) => ({ name, kind: persona === true ? "persona" : "message" }),
  async run({ client, output, signal }, { name, kind }) {
    const { items } = await (await client()).prompts.list({ signal });
    const prompt = findUsable(items, name, kind);
    if (output.json) output.printJson(prompt);
    else output.print(sanitize(prompt.text));
  },
};
