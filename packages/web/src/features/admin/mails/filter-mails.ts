import type { MailTemplateSummary } from "@feather/sdk";

/** Returns the mails whose title, name or description contains the search term, optionally only those that were edited. */
export function filterMails(
  mails: readonly MailTemplateSummary[],
  search: string,
  onlyEdited: boolean,
): MailTemplateSummary[] {
  const term = search.toLowerCase();
  return mails.filter(
    ({ title, name, description, is_edited }) =>
      (!onlyEdited || is_edited) && [title, name, description].some((text) => text.toLowerCase().includes(term)),
  );
}
