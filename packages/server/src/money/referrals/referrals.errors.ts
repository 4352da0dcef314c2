import { type AppError, errors } from "../../platform/core/errors/index.ts";

/** Why two accounts count as one person, who earns no reward. */
export type CommonGround = "account" | "address" | "organization" | "card";

const MESSAGES: Readonly<Record<CommonGround, string>> = {
  account:
    "This is your own code, which brings no reward. Send it to a friend, who enters it within 30 days of signing up.",
  address:
    "The account of this code has your e-mail address, so both count as one person and there is no reward. Go on without the code.",
  organization:
    "You and the owner of this code are in one organization, so there is no reward. Go on without the code: only people outside the organization can be referred.",
  card: "Your account and that of this code have had the same card, so both count as one person and there is no reward. Go on without the code, or enter it in an account that has had only cards of its own.",
};

/** 400 `referrals.self_referral`: referrer and referred count as the same person. The message says why. */
export function selfReferral(ground: CommonGround): AppError {
  return errors.referrals.selfReferral(MESSAGES[ground], { param: "code" });
}
