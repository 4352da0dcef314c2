import type { Database } from "../../../platform/core/db/connect.ts";
import { listOrganizationSections } from "./export-organization-sections.ts";
import type { Section } from "./export-sections.ts";
import { listUserSections } from "./export-user-sections.ts";

/**
 * Yields everything stored about a user, except secrets, as the text of one JSON object that begins with the fields of
 * `head`. `others` are sections that other modules add. Reads a page at a time, so that memory stays bounded.
 */
export async function* exportAccount(
  db: Database,
  userId: string,
  { head, others }: { head: object; others: readonly Section[] },
): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1);
  for (const { name, rows } of [...listUserSections(db, userId), ...listOrganizationSections(db, userId), ...others]) {
    yield `,${JSON.stringify(name)}:[`;
    let isFirst = true;
    for await (const page of rows)
      for (const row of page) {
        yield `${isFirst ? "" : ","}${JSON.stringify(row)}`;
        isFirst = false;
      }
    yield "]";
  }
  yield "}";
}
