import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { Billing } from "./billing.ts";

/** Routes for admins: price announcements and held renewals. */
export function adminSubscriptionRoutes({ billing }: { billing: Billing }): Handlers {
  const { announcePrice, heldRenewals } = billing;
  return {
    "admin.plans.announcePrice": async ({ actor, path }) => {
      const { count, effectiveFrom } = await announcePrice(actor, path.id);
      return { announced_count: count, effective_from_date: effectiveFrom.toISOString() };
    },
    "admin.subscriptions.held": async () => ({
      items: (await heldRenewals.list()).map(({ current_period_end_date: end, held_at, ...row }) => ({
        ...row,
        current_period_end_date: (end ?? new Date(0)).toISOString(),
        held_at: (held_at ?? new Date(0)).toISOString(),
      })),
    }),
    "admin.subscriptions.resumeRenewal": async ({ actor, path }) => {
      await heldRenewals.resume(actor, path.id);
      return undefined;
    },
  };
}
