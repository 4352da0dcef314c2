import { AppError, notFound } from "../../shared/errors.ts";

/** 404 `unknown_code`. */
export function referralCodeNotFound(): AppError {
  return notFound("There is no such referral code.", "unknown_code");
}

/** 400 `self_referral`: referrer and referred are the same person. */
export function selfReferral(): AppError {
  return new AppError(400, "self_referral", "You cannot refer yourself.", { param: "code" });
}

/** 409 `mutual_referral`: the referrer was referred by this user. */
export function mutualReferral(): AppError {
  return new AppError(409, "mutual_referral", "You referred this person, so they cannot have referred you.");
}

/** 409 `referrer_already_set`. */
export function referrerAlreadySet(): AppError {
  return new AppError(409, "referrer_already_set", "Who referred you is set already.");
}

/** 409 `referral_too_late`: the account is older than `days` days. */
export function referralTooLate(days: number): AppError {
  return new AppError(409, "referral_too_late", `Who referred you can be set within ${days} days of signing up.`);
}

/** 409 `referral_after_payment`: the organization has paid an invoice. */
export function referralAfterPayment(): AppError {
  return new AppError(409, "referral_after_payment", "Who referred you can be set before the first payment only.");
}
