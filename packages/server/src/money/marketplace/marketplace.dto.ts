import type { components } from "@feather/openapi/schema";
import type { NamedPurchaseRow, PurchaseRow } from "./purchases.repository.ts";

type Account = components["schemas"]["MarketplaceAccount"];
type Purchase = components["schemas"]["MarketplacePurchase"];

/** Converts a purchase for the organization that it pays for. */
export function toMarketplaceAccountDto({ provider, customer_id, product, status, is_test }: PurchaseRow): Account {
  return {
    provider: provider as Account["provider"],
    customer_id,
    product,
    status: status as Account["status"],
    is_test,
  };
}

/** Converts a purchase for admins. */
export function toMarketplacePurchaseDto({ product, ...row }: NamedPurchaseRow): Purchase {
  const { status, ends_at, checked_at, created_at } = row;
  return {
    ...row,
    provider: row.provider as Purchase["provider"],
    status: status as Purchase["status"],
    plan_id: status === "pending" ? null : product,
    ends_at: ends_at?.toISOString() ?? null,
    checked_at: checked_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  };
}
