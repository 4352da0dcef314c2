import type { Command } from "../../../command.ts";
import { LANGUAGE_FLAG, MAIL_ARGUMENT, type MailLanguage, parseLanguage } from "./mail-text.ts";

/** Gives a mail its default words again; asks first. */
export const mailsReset: Command<MailLanguage & { readonly name: string }> = {
  name: "admin mails reset",
  summary: "Give a mail its default words again",
  description: "The edited words are lost.",
  arguments: [MAIL_ARGUMENT],
  flags: [LANGUAGE_FLAG],
  confirms: true,
  needs: "admin",
  examples: ["feather admin mails reset payment_failed --yes"],
  options: ([name = ""], flags) => ({ name, ...parseLanguage(flags) }),
  async run({ client, confirm, output, signal }, { name, ...language }) {
    const { admin } = await client();
    const { title, is_edited, version } = await admin.mailTemplates.get(name, language, { signal });
    if (!is_edited) {
      output.info(`${title}: it has its default words.`);
      return;
    }
    await confirm(`Reset ${name}? Its edited words are lost.`);
    await admin.mailTemplates.delete(name, { ...language, version }, { signal });
    output.info(`${title}: mails have the default words from now on.`);
  },
};
