import { AppError, notFound } from "../../shared/errors.ts";

export function registrationClosed(): AppError {
  return new AppError(403, "registration_closed", "Nobody can make an account here. Ask the operator of this site.");
}

export function invitationRequired(): AppError {
  return new AppError(
    403,
    "invitation_required",
    "Accounts are made by invitation here. Ask an admin of this site to invite your e-mail address.",
  );
}

export function invitationEnded(): AppError {
  return notFound("This invitation was used, withdrawn, or has ended. Ask for a new one.", "invitations.ended");
}

export function invitedOtherEmail(): AppError {
  return new AppError(403, "invitations.other_email", "This invitation is for another e-mail address. Use that one.", {
    param: "email",
  });
}

export function notPending(): AppError {
  return new AppError(409, "users.not_pending", "This account does not wait for approval.");
}
