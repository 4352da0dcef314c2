import type { MailTemplate, MailTemplateDraft } from "@feather/sdk";

/** What an admin has written, and the version of the template that they began with. */
export type Draft = MailTemplateDraft & { version: number };

/** Returns the words of a template as a draft without changes. */
export const toDraft = ({ subject, text, version }: MailTemplate): Draft => ({ subject, text, version });

/** Returns whether two texts have the same words. */
export const hasSameWords = (one: MailTemplateDraft, other: MailTemplateDraft): boolean =>
  one.subject === other.subject && one.text === other.text;
