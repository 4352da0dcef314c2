import { t } from "@lingui/core/macro";
import { z } from "zod";

/** The form that unlocks a gated model. The server decides whether the token may be left out. */
export const unlockSchema = z.object({
  access_token: z
    .string()
    .trim()
    .max(500, t`Token is not valid: 500 characters at most.`)
    .regex(/^[!-~]*$/, t`Token is not valid: it has only letters, digits and signs, without spaces.`),
});
