import type { MarketplacePurchase } from "@feather/sdk";

/** The marketplaces, by id. */
export const PROVIDERS = ["aws", "azure", "gcp"] as const satisfies readonly MarketplacePurchase["provider"][];

/** Fields of a purchase for `--json`. */
export const PURCHASE_FIELDS = [
  "id",
  "organization_id",
  "organization_name",
  "provider",
  "reference",
  "customer_id",
  "offer",
  "plan_id",
  "quantity",
  "status",
  "note",
  "is_test",
  "ends_at",
  "checked_at",
  "created_at",
] as const satisfies readonly (keyof MarketplacePurchase)[];

/** The argument that names a purchase. */
export const PURCHASE_ARGUMENT = { name: "<purchase>", summary: "id of the purchase: feather admin marketplaces list" };

/** Returns a sentence about the state of a purchase. */
export function describePurchase({ organization_name, status, plan_id, note }: MarketplacePurchase): string {
  const state = status === "active" && plan_id !== null ? `on ${plan_id}` : status;
  return `The purchase for ${organization_name} is ${state}.${note === null ? "" : ` ${note}`}`;
}
