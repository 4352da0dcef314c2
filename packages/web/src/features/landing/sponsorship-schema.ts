import { t } from "@lingui/core/macro";
import { z } from "zod";

const MAX_PURPOSE_LENGTH = 600;

/** The form of a request for a sponsorship. */
export const sponsorshipSchema = z.object({
  project: z
    .string()
    .trim()
    .min(1, t`Project is not valid.`)
    .max(80, t`Project is not valid: it has at most 80 characters.`),
  repository: z
    .string()
    .trim()
    .regex(/^https:\/\/[^\s/]+\/\S+$/, t`Repository is not valid: it is an address that begins with https://.`),
  license: z
    .string()
    .trim()
    .min(1, t`Licence is not valid.`)
    .max(60, t`Licence is not valid: it has at most 60 characters.`),
  purpose: z
    .string()
    .trim()
    .min(20, t`What for is not valid: say it in a sentence or two.`)
    .max(MAX_PURPOSE_LENGTH, t`What for is not valid: it has at most ${MAX_PURPOSE_LENGTH} characters.`),
});
/** The values of the sponsorship form. */
export type Sponsorship = z.infer<typeof sponsorshipSchema>;
