import type { Handlers } from "../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../platform/core/http/pagination.ts";
import type { Payouts } from "./payouts.usecases.ts";
import type { ReferralUseCases } from "./referrals.usecases.ts";

type Deps = { referrals: ReferralUseCases; payouts: Payouts };

/** Routes of referral codes, rewards and payouts. */
export function referralRoutes({ referrals, payouts }: Deps): Handlers {
  return {
    "referral.code": async ({ actor }) => referrals.getReferralLink(actor.userId),
    "referral.setReferrer": async ({ actor, body }) => {
      await referrals.setReferrer({ actor: actor }, body.code);
      return undefined;
    },
    "referral.summary": async ({ actor }) => payouts.summary(actor),
    "referral.payout": async ({ actor, request }) => ({
      amount_nano_usd: String(await payouts.payOut(actor, request.idempotencyId)),
      is_test: payouts.isTest,
    }),
    "referral.rewards": async ({ actor, query }) => {
      const page = parsePage(query);
      const { items, total } = await payouts.listRewards(actor, page);
      const rows = items.map((item) => ({
        ...item,
        created_at: item.created_at.toISOString(),
        release_at: item.release_at.toISOString(),
        settled_at: item.settled_at?.toISOString() ?? null,
      }));
      return { items: rows, pagination: toPagination(page, total) };
    },
    "referral.payouts": async ({ actor, query }) => {
      const page = parsePage(query);
      const { items, total } = await payouts.listPayouts(actor, page);
      const rows = items.map((item) => ({ ...item, created_at: item.created_at.toISOString() }));
      return { items: rows, pagination: toPagination(page, total) };
    },
    "admin.users.setReferralReward": async ({ actor, path, body }) => {
      await referrals.setRewardMethod(actor, path.id, body.method);
      return { method: body.method };
    },
  };
}
