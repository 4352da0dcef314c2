import { type AppError, createError, type ErrorCode, errors } from "../../core/errors/index.ts";

/** 409 for an e-mail that has an account. */
export function emailTaken(): AppError {
  return fieldError("auth.email_taken", "email", "There is an account with this e-mail already. Log in instead.");
}

/** 409 for a username that is taken. */
export function usernameTaken(): AppError {
  return fieldError("auth.username_taken", "username", "Somebody has this username already. Choose another.");
}

/** 400 for a wrong password, by default the current one, at the field that held it. */
export function wrongPassword(field = "current_password", message = "This is not your present password."): AppError {
  return fieldError("auth.wrong_password", field, message);
}

/** 400 for a link that was used or has expired. */
export function invalidToken(hint: string): AppError {
  return errors.auth.invalidToken(`This link was used or has ended. ${hint}`, { param: "token" });
}

/** 400 for a setup link when there is an admin already. */
export function adminExists(): AppError {
  const message = "There is an admin already, so this link has ended. Log in, or ask that admin for an account.";
  return errors.auth.invalidToken(message, { param: "token" });
}

/** 401 for a wrong or used code of a second factor. */
export function wrongCode(): AppError {
  return fieldError("auth.wrong_code", "code", "This code is wrong, or was used already. Take the next one.");
}

/** For a challenge that has expired or was answered wrongly too often. */
export function challengeEnded(status: 400 | 401): AppError {
  return errors.auth.challengeEnded({ status });
}

/** For a passkey that is unknown or whose signature is wrong. */
export function wrongPasskey(status: 400 | 401): AppError {
  return errors.auth.wrongPasskey({ status });
}

/** Throws for accounts that are suspended or wait for approval. */
export function refuseBlockedAccount(user: { suspended_at: Date | null; approval_requested_at: Date | null }): void {
  if (user.suspended_at) throw errors.accountSuspended();
  if (user.approval_requested_at) throw errors.accountPending();
}

function fieldError(code: ErrorCode, field: string, message: string): AppError {
  return createError(code, message, { param: field, details: { fields: [{ field, message }] } });
}
