import type { Sponsorship } from "./sponsorship-schema.ts";

/** Returns the text of a mail that asks the operator for a sponsorship. */
export function createSponsorshipLetter(
  { project, repository, license, purpose }: Sponsorship,
  account: string | null,
): string {
  return [
    `Hello, I ask for a sponsorship of the open-source project ${project}.`,
    "",
    `Repository: ${repository}`,
    `Licence: ${license}`,
    `Account here: ${account ?? "none yet"}`,
    "",
    purpose,
  ].join("\n");
}
