import type { MailTemplate } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { stateOf } from "./list.ts";
import { formatMailFile, LANGUAGE_FLAG, MAIL_ARGUMENT, type MailLanguage, parseLanguage } from "./mail-text.ts";

/** Fields that `--json` accepts. */
export const MAIL_FIELDS = [
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
  "language",
  "has_subject",
  "version",
  "subject",
  "text",
  "default",
  "earlier_default",
  "variables",
] as const satisfies readonly (keyof MailTemplate)[];

type ShowOptions = MailLanguage & { readonly name: string; readonly default: boolean };

/** Shows the words of a mail as a file has them, and what can stand in them. */
export const mailsShow: Command<ShowOptions> = {
  name: "admin mails show",
  summary: "Show the words of a mail, and its variables",
  description:
    "The words are on stdout as `feather admin mails edit --file` takes them; when the mail is sent and its variables are on stderr.",
  arguments: [MAIL_ARGUMENT],
  flags: [{ name: "--default", summary: "the default words" }, LANGUAGE_FLAG],
  prints: "one",
  fields: MAIL_FIELDS,
  needs: "admin",
  examples: [
    "feather admin mails show payment_failed",
    "feather admin mails show payment_failed --default > payment_failed.txt",
  ],
  options: ([name = ""], flags) => ({ name, ...parseLanguage(flags), default: flags.default === true }),
  async run({ client, output, signal }, { name, default: isDefault, ...language }) {
    const template = await (await client()).admin.mailTemplates.get(name, language, { signal });
    if (output.json || output.quiet) {
      output.printDetails({ id: () => template.name, lines: () => [] }, template);
      return;
    }
    for (const line of describeTemplate(template)) output.info(line);
    const words = isDefault ? template.default : template;
    for (const line of formatMailFile(words).split("\n")) output.print(line);
  },
};

/** Returns lines about a template: when it is sent, its state and its variables. */
function describeTemplate(template: MailTemplate): string[] {
  const { title, description, edited_by: by, problem, variables } = template;
  const state = stateOf(template);
  return [
    `${title}. ${description}`,
    `Words: ${state}${by === null ? "" : `, by ${by}`}.${problem === null ? "" : ` ${problem} The default is sent.`}`,
    ...variables.map(({ name, description: what, is_condition, is_required }) => {
      const placeholder = is_condition ? `{{#${name}}}…{{/${name}}}` : `{{ ${name} }}`;
      return `  ${placeholder}  ${what}${is_required ? " Required." : ""}`;
    }),
    "",
  ];
}
