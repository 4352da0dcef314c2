import { type Audit, originOf } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { MARKETPLACE_NAMES, type MarketplaceProvider } from "../billing/index.ts";

import type { MarketplaceDrivers, PurchaseChecks } from "./purchase-checks.ts";
import type { NamedPurchaseRow, PurchasesRepository } from "./purchases.repository.ts";

type Deps = {
  db: Database;
  drivers: MarketplaceDrivers;
  purchases: PurchasesRepository;
  checks: PurchaseChecks;
  audit: Audit;
};

/** What admins do about purchases at marketplaces. */
export function createMarketplaceAdministration(deps: Deps) {
  return bind(deps, { settle, reject });
}
export type MarketplaceAdministration = ReturnType<typeof createMarketplaceAdministration>;

async function getPurchase({ purchases }: Deps, id: string): Promise<NamedPurchaseRow> {
  const row = await purchases.find(id);
  if (!row) throw errors.marketplace.purchaseNotFound();
  return row;
}

/** Asks the marketplace about a purchase and applies its answer, also to one that was canceled here. */
async function settle(deps: Deps, actor: SignedInActor, id: string): Promise<NamedPurchaseRow> {
  const row = await getPurchase(deps, id);
  await deps.checks.settle(row, true);
  const settled = await getPurchase(deps, id);
  const details = { provider: row.provider, before: row.status, status: settled.status };
  await deps.audit.record({ ...toEvent(actor, row), action: "marketplace.settle", details });
  return settled;
}

/** Rejects a pending purchase at the marketplace. Throws `marketplace.cannot_reject`. */
async function reject(deps: Deps, actor: SignedInActor, id: string, reason: string): Promise<NamedPurchaseRow> {
  const row = await getPurchase(deps, id);
  const provider = row.provider as MarketplaceProvider;
  const driver = deps.drivers[provider];
  const marketplace = MARKETPLACE_NAMES[provider];
  if (!driver) throw errors.marketplace.off();
  if (row.status !== "pending") throw errors.marketplace.cannotReject(`The purchase is ${row.status}, not pending.`);
  if (!driver.reject)
    throw errors.marketplace.cannotReject(
      `${marketplace} has no call to reject a purchase: its customer has to cancel it there.`,
    );
  await driver.reject(row.reference, reason);
  await deps.db.transaction().execute(async (trx) => {
    await trx
      .updateTable("marketplace_accounts")
      .set({ status: "canceled", note: reason })
      .where("id", "=", id)
      .where("status", "=", "pending")
      .execute();
    const details = { provider, reason };
    await deps.audit.record({ ...toEvent(actor, row), action: "marketplace.reject", details }, trx);
  });
  return getPurchase(deps, id);
}

function toEvent(actor: SignedInActor, { id, organization_id: organizationId }: NamedPurchaseRow) {
  return { userId: actor.userId, organizationId, target: id, ...originOf(actor) };
}
