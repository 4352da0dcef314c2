import type { Audit } from "../../platform/core/audit.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { hashSecret } from "../../platform/core/secrets/secrets.ts";
import type { BillingRepository, Buyer, MarketplaceProvider } from "../billing/index.ts";
import { isForSale } from "../plans/index.ts";
import type { Purchase } from "./marketplace-driver.ts";
import type { MeteringRepository } from "./metering/metering.repository.ts";
import type { PurchaseChanges } from "./purchase-changes.ts";
import type { MarketplaceDrivers, PurchaseChecks } from "./purchase-checks.ts";
import type { PurchaseRow, PurchasesRepository } from "./purchases.repository.ts";

type Deps = {
  db: Database;
  billingRepository: BillingRepository;
  /** Empty where marketplaces are switched off. */
  drivers: MarketplaceDrivers;
  purchases: PurchasesRepository;
  changes: PurchaseChanges;
  checks: PurchaseChecks;
  metering: Pick<MeteringRepository, "switchOff">;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  invalidatePlan(organizationId: string): void;
};
type NewPurchase = { provider: MarketplaceProvider; purchase: Purchase; product: string; isTest: boolean };

/** Subscriptions that are paid through a cloud marketplace. */
export function createMarketplace(deps: Deps) {
  return bind(deps, {
    list: ({ purchases }: Deps, organizationId: string) => purchases.listOf(organizationId),
    exchangeToken,
    subscribe: subscribe,
  });
}

export type MarketplaceUseCases = ReturnType<typeof createMarketplace>;

/** Records a token as used. Throws `marketplace.token_used` on the second use. */
async function redeemToken(
  deps: Deps,
  tokenHash: Buffer,
  accountId: string,
  idempotencyId: string | undefined,
  trx: Database,
): Promise<void> {
  const { clock } = deps;
  const inserted = await trx
    .insertInto("marketplace_tokens")
    .values({
      token_hash: tokenHash,
      account_id: accountId,
      idempotency_id: idempotencyId ?? null,
      used_at: clock.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) throw errors.marketplace.tokenUsed();
}

/** Connects a purchase with an organization. Throws when it pays for another one. One that was canceled is pending again. */
async function connectPurchase(
  { clock, ids }: Deps,
  { provider, purchase, product, isTest }: NewPurchase,
  { organizationId }: Buyer,
  trx: Database,
): Promise<PurchaseRow> {
  const { reference, customerId, items } = purchase;
  const row = await trx
    .insertInto("marketplace_accounts")
    .values({
      id: ids.next("mkt"),
      organization_id: organizationId,
      provider,
      reference,
      customer_id: customerId,
      product,
      offer: items[0]?.offer ?? null,
      status: "pending",
      is_test: isTest,
      created_at: clock.now(),
    })
    .onConflict((conflict) =>
      conflict
        .columns(["provider", "reference"])
        .doUpdateSet((eb) => ({
          status: eb
            .case()
            .when("marketplace_accounts.status", "=", "canceled")
            .then("pending")
            .else(eb.ref("marketplace_accounts.status"))
            .end(),
        }))
        .where("marketplace_accounts.organization_id", "=", organizationId),
    )
    .returningAll()
    .executeTakeFirst();
  if (!row) throw errors.marketplace.accountTaken();
  return row;
}

/** Returns the plan that a purchase stands for, or the id of what was bought before the marketplace says more. */
async function checkProduct(deps: Deps, { items, reference }: Purchase, trx: Database): Promise<string> {
  const [first] = items;
  if (!first) return reference;
  const found = await deps.changes.findPlan(items, trx);
  if (!found) throw errors.marketplace.unknownProduct({ product: first.offer });
  if (!isForSale(found.plan)) throw errors.plans.contactUs({ plan: found.plan.name });
  return found.plan.id;
}

async function findByIdempotencyId(
  deps: Deps,
  tokenHash: Buffer,
  idempotencyId: string | undefined,
): Promise<PurchaseRow | undefined> {
  const { db } = deps;
  if (idempotencyId === undefined) return undefined;
  return db
    .selectFrom("marketplace_tokens")
    .innerJoin("marketplace_accounts", "marketplace_accounts.id", "marketplace_tokens.account_id")
    .selectAll("marketplace_accounts")
    .where("marketplace_tokens.token_hash", "=", tokenHash)
    .where("marketplace_tokens.idempotency_id", "=", idempotencyId)
    .executeTakeFirst();
}

/** Returns the token that a buyer brings to the page that connects the purchase; null when it is invalid or expired. */
async function exchangeToken({ drivers }: Deps, provider: MarketplaceProvider, token: string): Promise<string | null> {
  const driver = drivers[provider];
  if (!driver) throw errors.marketplace.off();
  return driver.exchangeToken ? driver.exchangeToken(token) : token;
}

/**
 * Redeems a marketplace token: puts the organization on the plan that was bought. A purchase that the marketplace has yet to
 * confirm stays pending until it does.
 */
async function subscribe(
  deps: Deps,
  buyer: Buyer,
  provider: MarketplaceProvider,
  token: string,
  idempotencyId?: string,
): Promise<PurchaseRow> {
  const { db, billingRepository, drivers, changes, checks, metering, audit, clock, invalidatePlan } = deps;
  const driver = drivers[provider];
  if (!driver) throw errors.marketplace.off();
  const tokenHash = hashSecret(`${provider} ${token}`);
  const earlierPurchase = await findByIdempotencyId(deps, tokenHash, idempotencyId);
  if (earlierPurchase) return earlierPurchase;
  const purchase = await driver.resolve(token);
  if (!purchase || purchase.state === "ended") throw errors.marketplace.invalidToken({ param: "token" });
  const { organizationId } = buyer;
  const row = await db.transaction().execute(async (trx) => {
    const product = await checkProduct(deps, purchase, trx);
    const { subscription } = await billingRepository.lockState(organizationId, trx);
    if (subscription !== null && subscription.row.anchor_date !== null) throw errors.marketplace.planIsPaid();
    const connected = await connectPurchase(deps, { provider, purchase, product, isTest: driver.isTest }, buyer, trx);
    // The limit was set for another purchase, whose units may have another price.
    await metering.switchOff(organizationId, clock.now(), trx);
    await redeemToken(deps, tokenHash, connected.id, idempotencyId, trx);
    const details = { provider, customer_id: purchase.customerId, product };
    await audit.record({ ...buyer, action: "marketplace.subscribe", target: connected.id, details }, trx);
    return purchase.awaits === null ? changes.apply(connected, purchase, trx) : connected;
  });
  invalidatePlan(organizationId);
  if (purchase.awaits === null) return row;
  // The token is used up by now: what fails from here on is repeated by the job.
  return (await checks.settle(row).catch(() => row)) ?? row;
}
