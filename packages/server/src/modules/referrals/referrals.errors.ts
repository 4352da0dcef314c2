import { AppError, notFound } from "../../shared/errors.ts";

export function unknownCode(): AppError {
  return notFound("There is no such referral code.", "unknown_code");
}

export function selfReferral(): AppError {
  return new AppError(400, "self_referral", "You cannot refer yourself.", { param: "code" });
}

export function mutualReferral(): AppError {
  return new AppError(409, "mutual_referral", "You referred this person, so they cannot have referred you.");
}

export function alreadySet(): AppError {
  return new AppError(409, "referrer_already_set", "Who referred you is set already.");
}

export function tooLate(days: number): AppError {
  return new AppError(409, "referral_too_late", `Who referred you can be set within ${days} days of signing up.`);
}

export function afterPayment(): AppError {
  return new AppError(409, "referral_after_payment", "Who referred you can be set before the first payment only.");
}
