/** Renders the page "Error codes" of the docs. */
import { ANY_MESSAGE, type ErrorEntry, type ErrorSection } from "./errors.ts";

const HEAD = `---
title: Error codes
description: Every code of the platform's errors, with its status and what to do.
section: Call models
order: 15
---

[Errors](/docs/errors) shows what an error looks like and when to try again. Codes are for programs and stay the same. A code
that any call or any call to a model can have is a plain name, such as \`not_found\`; all others name the resource first:
\`api_keys.not_found\`.
\`{…}\` stands for a value of the case. **Again** says whether the same request can succeed later, without a change.
`;

/** Statuses after which the same request can succeed, unless the error says otherwise. */
const PASSING_STATUSES = [429, 502, 503, 504];

/** Returns the Markdown of the page: a table for every section. */
export function renderErrorPage(sections: readonly ErrorSection[]): string {
  return `${HEAD}${sections.map(renderSection).join("")}`;
}

function renderSection({ title, errors }: ErrorSection): string {
  const rows = errors.map(renderRow).join("\n");
  return `\n## ${title}\n\n| Status | Code | Meaning | Again |\n| --- | --- | --- | --- |\n${rows}\n`;
}

function renderRow(entry: ErrorEntry): string {
  const { code, statuses, message, hint } = entry;
  const meaning = hint ?? (message === ANY_MESSAGE ? "" : message.replaceAll(/\{(\w+)\}/g, "`{$1}`"));
  return `| ${statuses.join(", ")} | \`${code}\` | ${meaning.replaceAll("|", "\\|").replaceAll("<", "\\<")} | ${canSucceedLater(entry) ? "yes" : ""} |`;
}

function canSucceedLater({ statuses, retry, retry_after_s }: ErrorEntry): boolean {
  return retry ?? (retry_after_s !== undefined || statuses.some((status) => PASSING_STATUSES.includes(status)));
}
