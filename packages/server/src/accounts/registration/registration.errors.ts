import { type AppError, errors } from "../../platform/core/errors/index.ts";

/** Returns the error (403) for an invitation to another e-mail address. */
export function invitedOtherEmail(): AppError {
  return errors.invitations.otherEmail("This invitation is for another e-mail address. Use that one.", {
    param: "email",
  });
}
