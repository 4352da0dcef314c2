import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import type { Payouts } from "./payouts.ts";
import type { Referrals } from "./referrals.ts";

type Deps = { referrals: Referrals; payouts: Payouts };

export function referralRoutes({ referrals, payouts }: Deps): Handlers {
  return {
    "referral.code": async ({ actor }) => referrals.link(signedIn(actor).userId),
    "referral.setReferrer": async ({ actor, body }) => {
      await referrals.setReferrer(signedIn(actor).userId, body.code);
      return undefined;
    },
    "referral.summary": async ({ actor }) => payouts.summary(signedIn(actor)),
    "referral.payout": async ({ actor, request }) => ({
      amount_nano_usd: String(await payouts.payOut(signedIn(actor), request.idempotencyId)),
      is_test: payouts.isTest,
    }),
    "admin.users.setReferralReward": async ({ actor, path, body }) => {
      await referrals.setReward(signedIn(actor), path.id, body.method);
      return { method: body.method };
    },
  };
}
