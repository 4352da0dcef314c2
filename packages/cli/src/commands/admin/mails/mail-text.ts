import { readFile } from "node:fs/promises";
import type { Language, MailTemplateText } from "@feather/sdk";
import type { Argument, Flag, FlagValues } from "../../../command-line.ts";
import type { Context } from "../../../context.ts";
import { optionalText } from "../../../flags.ts";
import { readAll } from "../../../input.ts";

/** Where words come from: a file, `-` for stdin, and a subject that replaces that of the file. */
export type TextSource = { readonly file?: string; readonly subject?: string };

/** The argument that names a template. */
export const MAIL_ARGUMENT: Argument = { name: "<mail>", summary: "the mail: feather admin mails list" };

const LANGUAGES = ["en", "de", "es", "fr", "ja", "zh-Hans"] as const satisfies readonly Language[];

/** The language of a mail. */
export type MailLanguage = { readonly language?: Language };

/** The flag that names the language of a mail. */
export const LANGUAGE_FLAG: Flag = {
  name: "--language <tag>",
  summary: "language of the mail; English by default",
  choices: LANGUAGES,
};

/** Reads the flag that names the language of a mail. */
export function parseLanguage({ language: flag }: FlagValues): MailLanguage {
  const language = LANGUAGES.find((one) => one === flag);
  return language === undefined ? {} : { language };
}

/** The flags that say where words come from. */
export const TEXT_FLAGS: readonly Flag[] = [
  { name: "--file <path>", summary: "file with the text, below a line Subject: …; - is stdin", values: "files" },
  { name: "--subject <text>", summary: "subject; that of the file or the present one, if not given" },
];

/** Reads the flags that say where words come from. */
export const parseTextSource = ({ file, subject }: FlagValues): TextSource => ({
  ...optionalText("file", file),
  ...optionalText("subject", subject),
});

/** Returns subject and text as a file has them: a line with the subject, an empty line, and the text. */
export function formatMailFile({ subject, text }: MailTemplateText): string {
  return subject === "" ? text : `Subject: ${subject}\n\n${text}`;
}

/** Reads what `formatMailFile` writes; without a line with the subject, the given subject stays. */
export function parseMailFile(content: string, subject: string): MailTemplateText {
  const [, found, text] = /^Subject:[ \t]*([^\r\n]*)(?:\r?\n){1,2}([\s\S]*)$/.exec(content) ?? [];
  if (found === undefined || text === undefined) return { subject, text: withoutEnd(content) };
  return { subject: found, text: withoutEnd(text) };
}

const withoutEnd = (text: string): string => text.replace(/\r?\n$/, "");

/** Returns the words from a source; what it leaves out is that of the present words. */
export async function readMailText(
  { io }: Pick<Context, "io">,
  { file, subject }: TextSource,
  present: MailTemplateText,
): Promise<MailTemplateText> {
  const content = file === undefined ? null : file === "-" ? await readAll(io.stdin) : await readFile(file, "utf8");
  const read =
    content === null ? { subject: present.subject, text: present.text } : parseMailFile(content, present.subject);
  return { ...read, ...(subject !== undefined && { subject }) };
}
