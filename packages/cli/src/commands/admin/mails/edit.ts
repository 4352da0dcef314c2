import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MailTemplate, MailTemplateText } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { Context } from "../../../context.ts";
import { UsageError } from "../../../errors.ts";
import {
  formatMailFile,
  LANGUAGE_FLAG,
  MAIL_ARGUMENT,
  type MailLanguage,
  parseLanguage,
  parseMailFile,
  parseTextSource,
  readMailText,
  TEXT_FLAGS,
  type TextSource,
} from "./mail-text.ts";
import { MAIL_FIELDS } from "./show.ts";

type EditOptions = TextSource & MailLanguage & { readonly name: string };

/** Sets the words of a mail: from a file, or in the person's editor. */
export const mailsEdit: Command<EditOptions> = {
  name: "admin mails edit",
  summary: "Change the words of a mail",
  description:
    "From a file, or in the editor that VISUAL or EDITOR names. Refused when another admin changed it in the meantime, when it has a variable that the mail does not have, or leaves out one that it needs.",
  arguments: [MAIL_ARGUMENT],
  flags: [...TEXT_FLAGS, LANGUAGE_FLAG],
  prints: "one",
  fields: MAIL_FIELDS,
  needs: "admin",
  examples: [
    "feather admin mails edit payment_failed",
    "feather admin mails edit payment_failed --file payment_failed.txt",
    'feather admin mails edit payment_failed --subject "Your invoice {{ number }}"',
    "feather admin mails edit payment_failed --language de",
  ],
  options: ([name = ""], flags) => ({ name, ...parseLanguage(flags), ...parseTextSource(flags) }),
  async run(context, { name, language, ...source }) {
    const { client, output, signal } = context;
    const { admin } = await client();
    const inLanguage = language === undefined ? {} : { language };
    const template = await admin.mailTemplates.get(name, inLanguage, { signal });
    const isInEditor = source.file === undefined && source.subject === undefined;
    const words = isInEditor ? await editWords(context, template) : await readMailText(context, source, template);
    if (words.subject === template.subject && words.text === template.text) {
      output.printChange({ value: template, id: name, message: "Nothing was changed." });
      return;
    }
    try {
      const body = { ...inLanguage, ...words, version: template.version };
      const value = await admin.mailTemplates.set(name, body, { signal });
      output.printChange({ value, id: name, message: `${template.title}: mails have these words from now on.` });
    } catch (error) {
      if (isInEditor) output.info(`Your text is kept: --file ${await keepWords(name, words)}`);
      throw error;
    }
  },
};

async function editWords(
  { io, output, interactive }: Pick<Context, "io" | "output" | "interactive">,
  template: MailTemplate,
): Promise<MailTemplateText> {
  if (!output.tty || !interactive)
    throw new UsageError("there is no text", `feather admin mails edit ${template.name} --file mail.txt`);
  const { editText } = await import("../../../ui/chat/edit-text.ts");
  return parseMailFile(await editText(`${formatMailFile(template)}\n`, io.env.editor), template.subject);
}

/** Writes words that were refused into a file, so that they are not lost, and returns its path. */
async function keepWords(name: string, words: MailTemplateText): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), "feather-mail-")), `${name}.txt`);
  await writeFile(file, `${formatMailFile(words)}\n`, { mode: 0o600 });
  return file;
}
