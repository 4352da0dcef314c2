import type { components } from "@feather/openapi/schema";
import { formatNanoUsd, trimDecimal } from "../../../platform/core/money.ts";
import type { MeterRow, NamedUsageRow } from "./metering.repository.ts";
import type { MeteringState } from "./metering.usecases.ts";

type Schemas = components["schemas"];
type Provider = Schemas["MarketplaceMeter"]["provider"];

const toPrice = (nano: string) => trimDecimal(formatNanoUsd(BigInt(nano)));

/** Converts what is metered for an offer. */
export function toMeterDto(row: MeterRow): Schemas["MarketplaceMeter"] {
  return {
    provider: row.provider as Provider,
    offer: row.offer,
    dimension: row.dimension,
    unit_price_usd: toPrice(row.unit_price_nano_usd),
    max_monthly_usd_cents: row.max_monthly_cents,
    updated_at: row.updated_at.toISOString(),
  };
}

/** Converts what an organization may use beyond its credits. */
export function toMeteringDto({
  terms,
  limitCents,
  usedNano,
  drawnNano,
}: MeteringState): Schemas["MarketplaceMetering"] {
  return {
    meter: terms && {
      provider: terms.provider as Provider,
      dimension: terms.dimension,
      unit_price_usd: toPrice(terms.unit_price_nano_usd),
      max_monthly_usd_cents: terms.max_monthly_cents,
      paused: terms.is_paused,
    },
    monthly_limit_usd_cents: limitCents,
    used_this_month_usd: formatNanoUsd(usedNano),
    drawn_this_month_usd: formatNanoUsd(drawnNano),
  };
}

/** Converts metered usage for admins. */
export function toUsageDto(row: NamedUsageRow): Schemas["MarketplaceUsage"] {
  const { id, organization_id, organization_name, reference, offer, dimension, units, reason, attempts, is_test } = row;
  return {
    id,
    organization_id,
    organization_name,
    provider: row.provider as Provider,
    reference,
    offer,
    dimension,
    hour_starts_at: row.hour.toISOString(),
    units,
    unit_price_usd: toPrice(row.unit_price_nano_usd),
    amount_usd: formatNanoUsd(BigInt(units) * BigInt(row.unit_price_nano_usd)),
    status: row.status as Schemas["MarketplaceUsage"]["status"],
    reason,
    attempts,
    is_test,
    settled_at: row.settled_at?.toISOString() ?? null,
  };
}
