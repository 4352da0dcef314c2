import type { components } from "@feather/openapi/schema";
import type { Selectable } from "kysely";
import type { Audit } from "../../platform/core/audit.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { MarketplaceAccounts } from "../../platform/core/db/schema.generated.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { hashSecret } from "../../platform/core/secrets/secrets.ts";
import type { BillingRepository, Buyer, GrantPlan } from "../billing/index.ts";
import { isForSale, isPaidPlan } from "../plans/index.ts";

/** A cloud marketplace. */
export type MarketplaceProvider = components["schemas"]["MarketplaceSubscribeRequest"]["provider"];
/** A row of the table of marketplace accounts. */
export type MarketplaceAccountRow = Selectable<MarketplaceAccounts>;

/**
 * The port to cloud marketplaces. `resolve` returns what a token was issued for; null when it is invalid or expired.
 */
export type MarketplaceDriver = {
  isTest: boolean;
  resolve(provider: MarketplaceProvider, token: string): Promise<{ customerId: string; product: string } | null>;
};

type Deps = {
  db: Database;
  billingRepository: BillingRepository;
  /** Null where marketplaces are switched off. */
  driver: MarketplaceDriver | null;
  grantPlan: GrantPlan;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  invalidatePlan(organizationId: string): void;
};
type MarketplacePurchase = { provider: MarketplaceProvider; customerId: string; product: string; isTest: boolean };

/** Subscriptions that are paid through a cloud marketplace. */
export function createMarketplace(deps: Deps) {
  return bind(deps, {
    list: listPurchases,
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

/** Creates or updates the account of a marketplace customer. Throws when it belongs to another organization. */
async function connectAccount(
  deps: Deps,
  { provider, customerId, product, isTest }: MarketplacePurchase,
  buyer: Buyer,
  trx: Database,
) {
  const { clock, ids } = deps;
  const row = await trx
    .insertInto("marketplace_accounts")
    .values({
      id: ids.next("mkt"),
      organization_id: buyer.organizationId,
      provider,
      customer_id: customerId,
      product,
      status: "active",
      is_test: isTest,
      created_at: clock.now(),
    })
    .onConflict((conflict) =>
      conflict
        .columns(["provider", "customer_id"])
        .doUpdateSet({ product, status: "active" })
        .where("marketplace_accounts.organization_id", "=", buyer.organizationId),
    )
    .returningAll()
    .executeTakeFirst();
  if (!row) throw errors.marketplace.accountTaken();
  return row;
}

async function grantPurchasedPlan(
  deps: Deps,
  { product }: MarketplacePurchase,
  { organizationId }: Buyer,
  trx: Database,
): Promise<void> {
  const { billingRepository, grantPlan } = deps;
  const { subscription } = await billingRepository.lockState(organizationId, trx);
  if (subscription !== null && subscription.row.anchor_date !== null) throw errors.marketplace.planIsPaid();
  await grantPlan({ organizationId, planId: product, quantity: 1 }, trx);
}

async function findByIdempotencyId(
  deps: Deps,
  tokenHash: Buffer,
  idempotencyId: string | undefined,
): Promise<MarketplaceAccountRow | undefined> {
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

function listPurchases({ db }: Deps, organizationId: string): Promise<MarketplaceAccountRow[]> {
  return db
    .selectFrom("marketplace_accounts")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

/** Redeems a marketplace token: puts the organization on the plan that was bought. */
async function subscribe(
  deps: Deps,
  buyer: Buyer,
  provider: MarketplaceProvider,
  token: string,
  idempotencyId?: string,
): Promise<MarketplaceAccountRow> {
  const { db, billingRepository, driver, audit, invalidatePlan } = deps;
  if (driver === null) throw errors.marketplace.off();
  const tokenHash = hashSecret(`${provider} ${token}`);
  const earlierAccount = await findByIdempotencyId(deps, tokenHash, idempotencyId);
  if (earlierAccount) return earlierAccount;
  const resolved = await driver.resolve(provider, token);
  if (!resolved) throw errors.marketplace.invalidToken({ param: "token" });
  const purchase = { provider, ...resolved, isTest: driver.isTest };
  const row = await db.transaction().execute(async (trx) => {
    const plan = isPaidPlan(purchase.product) ? await billingRepository.findPlan(purchase.product, trx) : undefined;
    if (!plan) throw errors.marketplace.unknownProduct({ product: purchase.product });
    if (!isForSale(plan)) throw errors.plans.contactUs({ plan: plan.name });
    await grantPurchasedPlan(deps, purchase, buyer, trx);
    const account = await connectAccount(deps, purchase, buyer, trx);
    await redeemToken(deps, tokenHash, account.id, idempotencyId, trx);
    const details = { provider, customer_id: purchase.customerId, product: purchase.product };
    await audit.record({ ...buyer, action: "marketplace.subscribe", target: account.id, details }, trx);
    return account;
  });
  invalidatePlan(buyer.organizationId);
  return row;
}
