import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { SubscriptionRow } from "../billing-rows.ts";

/** Names of the cloud marketplaces for people. */
export const MARKETPLACE_NAMES = {
  aws: "AWS Marketplace",
  azure: "Azure Marketplace",
  gcp: "Google Cloud Marketplace",
} as const;
/** A cloud marketplace. */
export type MarketplaceProvider = keyof typeof MARKETPLACE_NAMES;

/** Throws `marketplace.cancel_there` for a plan for which a marketplace collects, since it would go on to. */
export async function refuseWhileMarketplaceCollects(
  { organization_id, plan_id, anchor_date }: SubscriptionRow,
  trx: Database,
): Promise<void> {
  if (anchor_date !== null) return;
  const account = await trx
    .selectFrom("marketplace_accounts")
    .select("provider")
    .where("organization_id", "=", organization_id)
    .where("product", "=", plan_id)
    .where("status", "in", ["active", "suspended"])
    .where("ends_at", "is", null)
    .where("is_test", "=", false)
    .executeTakeFirst();
  if (!account) return;
  throw errors.marketplace.cancelThere({ marketplace: MARKETPLACE_NAMES[account.provider as MarketplaceProvider] });
}

/** Cancels the accounts at marketplaces through which an organization had a plan that has ended. */
export async function cancelMarketplaceAccounts(organizationId: string, planId: string, trx: Database): Promise<void> {
  await trx
    .updateTable("marketplace_accounts")
    .set({ status: "canceled", ends_at: null })
    .where("organization_id", "=", organizationId)
    .where("product", "=", planId)
    .where("status", "<>", "pending")
    .execute();
}
