import { type AppError, errors } from "../../core/errors/index.ts";

/** 403 for an invitation of another e-mail address. */
export function invitedOtherEmail(): AppError {
  return errors.invitations.otherEmail("This invitation is for another e-mail address. Use that one.", {
    param: "email",
  });
}
