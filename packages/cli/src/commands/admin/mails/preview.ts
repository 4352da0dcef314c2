import type { MailTemplateText } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import {
  formatMailFile,
  LANGUAGE_FLAG,
  MAIL_ARGUMENT,
  type MailLanguage,
  parseLanguage,
  parseTextSource,
  readMailText,
  TEXT_FLAGS,
  type TextSource,
} from "./mail-text.ts";

/** Shows a mail with sample values, in its present words or in those of a file. */
export const mailsPreview: Command<TextSource & MailLanguage & { readonly name: string }> = {
  name: "admin mails preview",
  summary: "Show a mail with sample values",
  description: "In its present words, or in those of a file before they are set. Nothing is sent.",
  arguments: [MAIL_ARGUMENT],
  flags: [...TEXT_FLAGS, LANGUAGE_FLAG],
  prints: "one",
  fields: ["subject", "text"] as const satisfies readonly (keyof MailTemplateText)[],
  needs: "admin",
  examples: [
    "feather admin mails preview payment_failed",
    "feather admin mails preview payment_failed --file payment_failed.txt",
  ],
  options: ([name = ""], flags) => ({ name, ...parseLanguage(flags), ...parseTextSource(flags) }),
  async run(context, { name, language, ...source }) {
    const { client, output, signal } = context;
    const { admin } = await client();
    const inLanguage = language === undefined ? {} : { language };
    const template = await admin.mailTemplates.get(name, inLanguage, { signal });
    const words = await readMailText(context, source, template);
    const mail = await admin.mailTemplates.preview(name, { ...inLanguage, ...words }, { signal });
    if (output.json || output.quiet) output.printDetails({ id: () => name, lines: () => [] }, mail);
    else for (const line of formatMailFile(mail).split("\n")) output.print(line);
  },
};
