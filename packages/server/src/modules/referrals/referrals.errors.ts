import { type AppError, errors } from "../../core/errors/index.ts";

/** 400 `referrals.self_referral`: referrer and referred are the same person. */
export function selfReferral(): AppError {
  return errors.referrals.selfReferral({ param: "code" });
}
