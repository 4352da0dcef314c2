import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { pageOf, pagination } from "../../http/pages.ts";
import type { Payouts } from "./payouts.ts";
import type { Referrals } from "./referrals.ts";

type Deps = { referrals: Referrals; payouts: Payouts };

/** Routes of referral codes, rewards and payouts. */
export function referralRoutes({ referrals, payouts }: Deps): Handlers {
  return {
    "referral.code": async ({ actor }) => referrals.link(signedIn(actor).userId),
    "referral.setReferrer": async ({ actor, body }) => {
      await referrals.setReferrer({ actor: signedIn(actor) }, body.code);
      return undefined;
    },
    "referral.summary": async ({ actor }) => payouts.summary(signedIn(actor)),
    "referral.payout": async ({ actor, request }) => ({
      amount_nano_usd: String(await payouts.payOut(signedIn(actor), request.idempotencyId)),
      is_test: payouts.isTest,
    }),
    "referral.rewards": async ({ actor, query }) => {
      const page = pageOf(query);
      const { items, total } = await payouts.rewards(signedIn(actor), page);
      const shown = items.map((item) => ({
        ...item,
        created_at: item.created_at.toISOString(),
        release_at: item.release_at.toISOString(),
        settled_at: item.settled_at?.toISOString() ?? null,
      }));
      return { items: shown, pagination: pagination(page, total) };
    },
    "referral.payouts": async ({ actor, query }) => {
      const page = pageOf(query);
      const { items, total } = await payouts.list(signedIn(actor), page);
      const shown = items.map((item) => ({ ...item, created_at: item.created_at.toISOString() }));
      return { items: shown, pagination: pagination(page, total) };
    },
    "admin.users.setReferralReward": async ({ actor, path, body }) => {
      await referrals.setReward(signedIn(actor), path.id, body.method);
      return { method: body.method };
    },
  };
}
