import type { components } from "@feather/openapi/schema";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { Billing } from "./billing.ts";
import { toBuyer } from "./buyer.ts";
import type { AutoTopUpState } from "./credits/auto-top-ups.usecases.ts";

type AutoTopUp = components["schemas"]["AutoTopUp"];
type PauseReason = NonNullable<AutoTopUp["paused"]>["reason"];

/** Routes of the automatic top-up. */
export function autoTopUpRoutes({ billing: { autoTopUps } }: { billing: Billing }): Handlers {
  return {
    "credits.autoTopUp.get": async ({ actor }) => toAutoTopUpDto(await autoTopUps.read(actor.organizationId)),
    "credits.autoTopUp.set": async ({ actor, body }) =>
      toAutoTopUpDto(
        await autoTopUps.set(toBuyer(actor), {
          threshold_cents: body.threshold_usd_cents,
          amount_cents: body.amount_usd_cents,
          monthly_limit_cents: body.monthly_limit_usd_cents,
        }),
      ),
    "credits.autoTopUp.delete": async ({ actor }) => {
      await autoTopUps.delete(toBuyer(actor));
      return undefined;
    },
  };
}

function toAutoTopUpDto({ rule, chargedCents }: AutoTopUpState): AutoTopUp {
  return {
    rule: rule
      ? {
          threshold_usd_cents: rule.threshold_cents,
          amount_usd_cents: rule.amount_cents,
          monthly_limit_usd_cents: rule.monthly_limit_cents,
        }
      : null,
    charged_this_month_usd_cents: chargedCents,
    paused: rule?.paused_at
      ? { reason: rule.pause_reason as PauseReason, failed_at: rule.paused_at.toISOString() }
      : null,
  };
}
