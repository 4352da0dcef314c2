import type { Prompt } from "@feather/sdk";
import { promptVariables } from "@feather/sdk/prompts";
import type { Command } from "../../command.ts";
import type { TableView } from "../../output/index.ts";
import { PROMPT_FIELDS } from "./stored-prompt.ts";

/** Lists the prompts and personas that the person can use. */
export const promptsList: Command<null> = {
  name: "prompts list",
  summary: "List your prompts and personas, and those of the organization",
  prints: "list",
  fields: PROMPT_FIELDS,
  needs: "sign-in",
  examples: ["feather prompts list", "feather prompts list --json name,text"],
  options: () => null,
  async run({ client, output, signal }) {
    const response = await (await client()).prompts.list({ signal });
    output.printList(VIEW, response.items, response);
  },
};

const VIEW: TableView<Prompt> = {
  columns: [
    { header: "NAME", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
    { header: "KIND", cell: ({ kind }) => kind, dropOrder: 2 },
    { header: "OF", cell: ({ owner }) => (owner === "person" ? "you" : "organization"), dropOrder: 3 },
    {
      header: "VARIABLES",
      cell: ({ kind, text }) => (kind === "message" ? promptVariables(text).join(", ") : ""),
      dropOrder: 1,
    },
  ],
  id: ({ name }) => name,
  noun: "prompts",
  empty: 'There are no prompts yet. Write one: feather prompts set <name> "Translate into {{language}}."',
};
