import { type AppError, createError, type ErrorCode, errors } from "../../platform/core/errors/index.ts";

/** Returns an error with status 409: the e-mail address has an account. */
export function emailTaken(): AppError {
  return fieldError("auth.email_taken", "email", "There is an account with this e-mail already. Log in instead.");
}

/** Returns an error with status 409: the username is taken. */
export function usernameTaken(): AppError {
  return fieldError("auth.username_taken", "username", "Somebody has this username already. Choose another.");
}

/**
 * Returns an error with status 400 for a wrong password, by default the current one. `field` is the request's field with
 * it.
 */
export function wrongPassword(field = "current_password", message = "This is not your present password."): AppError {
  return fieldError("auth.wrong_password", field, message);
}

/** Returns an error with status 400: the link was used or has expired. */
export function invalidToken(hint: string): AppError {
  return errors.auth.invalidToken(`This link was used or has ended. ${hint}`, { param: "token" });
}

/** Returns an error with status 400: the setup link is invalid, because there is an admin. */
export function adminExists(): AppError {
  const message = "There is an admin already, so this link has ended. Log in, or ask that admin for an account.";
  return errors.auth.invalidToken(message, { param: "token" });
}

/** Returns an error with status 401: the code of the second factor is wrong or was used. */
export function wrongCode(): AppError {
  return fieldError("auth.wrong_code", "code", "This code is wrong, or was used already. Take the next one.");
}

/** Returns the error for a challenge that has expired or had too many wrong answers. */
export function challengeEnded(status: 400 | 401): AppError {
  return errors.auth.challengeEnded({ status });
}

/** Returns the error for an unknown passkey or a wrong signature. */
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
