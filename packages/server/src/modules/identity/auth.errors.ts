import { AppError, unauthorized } from "../../shared/errors.ts";

/** 401 for a session that was revoked or has expired. */
export function sessionEnded(): AppError {
  return unauthorized("The session has ended. Log in again.", "session_ended");
}

/** 409 for an e-mail that has an account. */
export function emailTaken(): AppError {
  return fieldError(409, "email_taken", "email", "There is an account with this e-mail already. Log in instead.");
}

/** 409 for a username that is taken. */
export function usernameTaken(): AppError {
  return fieldError(409, "username_taken", "username", "Somebody has this username already. Choose another.");
}

/** 400 for a wrong current password, at the field that held it. */
export function wrongPassword(field = "current_password"): AppError {
  return fieldError(400, "wrong_password", field, "This is not your present password.");
}

/** 400 for a link that was used or has expired. */
export function invalidToken(hint: string): AppError {
  return new AppError(400, "invalid_token", `This link was used or has ended. ${hint}`, { param: "token" });
}

/** 400 for a setup link when there is an admin already. */
export function adminExists(): AppError {
  const message = "There is an admin already, so this link has ended. Log in, or ask that admin for an account.";
  return new AppError(400, "invalid_token", message, { param: "token" });
}

/** 401 for a wrong or used code of a second factor. */
export function wrongCode(): AppError {
  return fieldError(401, "wrong_code", "code", "This code is wrong, or was used already. Take the next one.");
}

/** For a challenge that has expired or was answered wrongly too often. */
export function challengeEnded(status: 400 | 401): AppError {
  return new AppError(status, "challenge_ended", "This took too long, or too many answers were wrong. Begin again.");
}

/** For a passkey that is unknown or whose signature is wrong. */
export function wrongPasskey(status: 400 | 401): AppError {
  return new AppError(
    status,
    "wrong_passkey",
    "This passkey is not known here, or its answer was wrong. Try another way.",
  );
}

/** 401 for a passkey whose counter went backwards. */
export function passkeyCounter(): AppError {
  return new AppError(
    401,
    "passkey_counter",
    "This passkey has signed fewer times than it did before, so it may have been copied. Log in another way and remove it.",
  );
}

/** 409 where browsers allow no passkeys at the public URL. */
export function passkeysUnavailable(): AppError {
  return new AppError(
    409,
    "passkeys_unavailable",
    "Browsers allow passkeys only at https addresses with a name, and at localhost. The address of this site (FEATHER_PUBLIC_URL) is neither.",
  );
}

/** 409 for removing the last second factor where one is required. */
export function lastSecondFactor(): AppError {
  return new AppError(
    409,
    "last_second_factor",
    "The operator of this site asks for a second factor, and this is your last one. Add another first.",
  );
}

/** 401 for a suspended account. */
export function accountSuspended(): AppError {
  return new AppError(401, "account_suspended", "This account is suspended. Ask the operator of this site.");
}

/** 401 for an account that waits for approval. */
export function accountPending(): AppError {
  return new AppError(
    401,
    "account_pending",
    "This account waits for an admin who lets it in. You will get a message once that is done.",
  );
}

/** Throws for accounts that are suspended or wait for approval. */
export function refuseBlockedAccount(user: { suspended_at: Date | null; approval_requested_at: Date | null }): void {
  if (user.suspended_at) throw accountSuspended();
  if (user.approval_requested_at) throw accountPending();
}

function fieldError(status: number, code: string, field: string, message: string): AppError {
  return new AppError(status, code, message, { param: field, details: { fields: [{ field, message }] } });
}
