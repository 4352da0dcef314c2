import { z } from "zod";

const LONGEST = 600;

/** What an open-source project says of itself. */
export const sponsorshipSchema = z.object({
  project: z
    .string()
    .trim()
    .min(1, "Project is not valid.")
    .max(80, "Project is not valid: it has at most 80 characters."),
  repository: z
    .string()
    .trim()
    .regex(/^https:\/\/[^\s/]+\/\S+$/, "Repository is not valid: it is an address that begins with https://."),
  license: z
    .string()
    .trim()
    .min(1, "Licence is not valid.")
    .max(60, "Licence is not valid: it has at most 60 characters."),
  purpose: z
    .string()
    .trim()
    .min(20, "What for is not valid: say it in a sentence or two.")
    .max(LONGEST, `What for is not valid: it has at most ${LONGEST} characters.`),
});
export type Sponsorship = z.infer<typeof sponsorshipSchema>;

/** The letter to the operator, ready to be sent. */
export function sponsorshipLetter(
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
