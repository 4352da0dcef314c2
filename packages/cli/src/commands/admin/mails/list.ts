import type { MailTemplateSummary } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { Column } from "../../../output/table.ts";
import { formatAgo, formatRfc3339 } from "../../../output/time.ts";
import { LANGUAGE_FLAG, type MailLanguage, parseLanguage } from "./mail-text.ts";

const FIELDS = [
  "name",
  "group",
  "title",
  "description",
  "is_edited",
  "edited_languages",
  "edited_by",
  "edited_at",
  "has_new_default",
  "problem",
] as const satisfies readonly (keyof MailTemplateSummary)[];

/** Lists the texts that the platform sends by mail. */
export const mailsList: Command<MailLanguage> = {
  name: "admin mails list",
  summary: "List the mails that the platform sends, and who edited them",
  flags: [LANGUAGE_FLAG],
  prints: "list",
  fields: FIELDS,
  needs: "admin",
  examples: ["feather admin mails list", "feather admin mails list --jq '.items[]|select(.is_edited)|.name'"],
  options: (_, flags) => parseLanguage(flags),
  async run({ client, now, output, signal }, language) {
    const response = await (await client()).admin.mailTemplates.list(language, { signal });
    const view = {
      columns: columns(now()),
      id: ({ name }: MailTemplateSummary) => name,
      noun: "mails",
      empty: "There are no mails.",
    };
    output.printList(view, response.items, response);
  },
};

/** Returns whether a mail has the default words, in a word or two. */
export function stateOf({ is_edited, problem, has_new_default }: MailTemplateSummary): string {
  if (problem !== null) return "not used";
  if (!is_edited) return "default";
  return has_new_default ? "edited, new default" : "edited";
}

function columns(now: Date): Column<MailTemplateSummary>[] {
  return [
    { header: "MAIL", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
    { header: "ABOUT", cell: ({ group }) => group.replace("_", " "), plain: ({ group }) => group, dropOrder: 2 },
    { header: "TITLE", cell: ({ title }) => title, dropOrder: 3 },
    {
      header: "WORDS",
      cell: stateOf,
      paint: (text, style, { problem, is_edited }) =>
        problem !== null ? style.red(text) : is_edited ? style.green(text) : style.dim(text),
    },
    {
      header: "EDITED",
      cell: ({ edited_at }) => (edited_at === null ? "" : formatAgo(edited_at, now)),
      plain: ({ edited_at }) => formatRfc3339(edited_at),
      dropOrder: 1,
    },
    { header: "BY", cell: ({ edited_by }) => edited_by ?? "", dropOrder: 4 },
  ];
}
