import type { MailTemplateTest } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import {
  LANGUAGE_FLAG,
  MAIL_ARGUMENT,
  type MailLanguage,
  parseLanguage,
  parseTextSource,
  readMailText,
  TEXT_FLAGS,
  type TextSource,
} from "./mail-text.ts";

/** Sends a mail with sample values to the caller's own address. */
export const mailsTest: Command<TextSource & MailLanguage & { readonly name: string }> = {
  name: "admin mails test",
  summary: "Send a mail with sample values to yourself",
  description:
    "In its present words, or in those of a file before they are set. Without a mail server it stays in the outbox.",
  arguments: [MAIL_ARGUMENT],
  flags: [...TEXT_FLAGS, LANGUAGE_FLAG],
  prints: "one",
  fields: ["to"] as const satisfies readonly (keyof MailTemplateTest)[],
  needs: "admin",
  examples: ["feather admin mails test payment_failed"],
  options: ([name = ""], flags) => ({ name, ...parseLanguage(flags), ...parseTextSource(flags) }),
  async run(context, { name, language, ...source }) {
    const { client, output, signal } = context;
    const { admin } = await client();
    const inLanguage = language === undefined ? {} : { language };
    const template = await admin.mailTemplates.get(name, inLanguage, { signal });
    const words = await readMailText(context, source, template);
    const value = await admin.mailTemplates.test(name, { ...inLanguage, ...words }, { signal });
    output.printChange({ value, id: value.to, message: `A test is on its way to ${value.to}.` });
  },
};
