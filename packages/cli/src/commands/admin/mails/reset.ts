import type { Command } from "../../../command.ts";
import { MAIL_ARGUMENT } from "./mail-text.ts";

/** Gives a mail its default words again; asks first. */
export const mailsReset: Command<{ readonly name: string }> = {
  name: "admin mails reset",
  summary: "Give a mail its default words again",
  description: "The edited words are lost.",
  arguments: [MAIL_ARGUMENT],
  confirms: true,
  needs: "admin",
  examples: ["feather admin mails reset payment_failed --yes"],
  options: ([name = ""]) => ({ name }),
  async run({ client, confirm, output, signal }, { name }) {
    const { admin } = await client();
    const { title, is_edited, version } = await admin.mailTemplates.get(name, { signal });
    if (!is_edited) {
      output.info(`${title}: it has its default words.`);
      return;
    }
    await confirm(`Reset ${name}? Its edited words are lost.`);
    await admin.mailTemplates.delete(name, { version }, { signal });
    output.info(`${title}: mails have the default words from now on.`);
  },
};
