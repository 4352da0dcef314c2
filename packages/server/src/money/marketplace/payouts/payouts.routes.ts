import type { components } from "@feather/openapi/schema";
import type { Handlers } from "../../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../../platform/core/http/pagination.ts";
import { formatNanoUsd } from "../../../platform/core/money.ts";
import type { MarketplaceBalance, PayoutRow, PayoutUseCases } from "./payouts.usecases.ts";

type Schemas = components["schemas"];

/** Routes for admins: what marketplaces paid, and what they owe. */
export function payoutsRoutes({ payouts }: { payouts: PayoutUseCases }): Handlers {
  return {
    "admin.marketplaces.payouts.list": async ({ query }) => {
      const page = parsePage(query);
      const { balances, rows, total } = await payouts.list(query.provider, page);
      return {
        balances: balances.map(toBalanceDto),
        items: rows.map(toPayoutDto),
        pagination: toPagination(page, total),
      };
    },
    "admin.marketplaces.payouts.record": async ({ actor, body }) => {
      const { amount_usd_cents: amount_cents, fee_usd_cents: fee_cents, ...values } = body;
      return toPayoutDto(await payouts.record(actor, { ...values, amount_cents, fee_cents }));
    },
    "admin.marketplaces.payouts.reverse": async ({ actor, path, body }) =>
      toPayoutDto(await payouts.reverse(actor, path.id, body.reason)),
  };
}

const toUsd = (nano: string) => formatNanoUsd(BigInt(nano));

function toBalanceDto({
  provider,
  accepted,
  paid,
  fee,
  open,
  waiting,
}: MarketplaceBalance): Schemas["MarketplaceBalance"] {
  return {
    provider: provider as Schemas["MarketplaceBalance"]["provider"],
    accepted_usd: toUsd(accepted),
    paid_usd: toUsd(paid),
    fee_usd: toUsd(fee),
    open_usd: toUsd(open),
    waiting_usd: toUsd(waiting),
  };
}

function toPayoutDto({ amount_cents, fee_cents, ...row }: PayoutRow): Schemas["MarketplacePayout"] {
  return {
    ...row,
    provider: row.provider as Schemas["MarketplacePayout"]["provider"],
    amount_usd_cents: amount_cents,
    fee_usd_cents: fee_cents,
    created_at: row.created_at.toISOString(),
    reversed_at: row.reversed_at?.toISOString() ?? null,
  };
}
