import { type AppError, errors } from "../../core/errors/index.ts";

/** Returns the error `referrals.self_referral` (400): referrer and referred are the same person. */
export function selfReferral(): AppError {
  return errors.referrals.selfReferral({ param: "code" });
}
