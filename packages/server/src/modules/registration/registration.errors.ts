import { AppError, notFound } from "../../shared/errors.ts";

/** 403 where registration is off. */
export function registrationClosed(): AppError {
  return new AppError(403, "registration_closed", "Nobody can make an account here. Ask the operator of this site.");
}

/** 403 where registration needs an invitation. */
export function invitationRequired(): AppError {
  return new AppError(
    403,
    "invitation_required",
    "Accounts are made by invitation here. Ask an admin of this site to invite your e-mail address.",
  );
}

/** 404 for an invitation that was used, withdrawn or has expired. */
export function invitationEnded(): AppError {
  return notFound("This invitation was used, withdrawn, or has ended. Ask for a new one.", "invitations.ended");
}

/** 403 for an invitation of another e-mail address. */
export function invitedOtherEmail(): AppError {
  return new AppError(403, "invitations.other_email", "This invitation is for another e-mail address. Use that one.", {
    param: "email",
  });
}

/** 409 for an account that does not wait for approval. */
export function notPending(): AppError {
  return new AppError(409, "users.not_pending", "This account does not wait for approval.");
}
