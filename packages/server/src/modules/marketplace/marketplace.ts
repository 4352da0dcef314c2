import type { Selectable } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { MarketplaceAccounts } from "../../db/schema.generated.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, invalidRequest } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import { hashSecret } from "../../shared/secrets.ts";
import type { Audit } from "../audit/audit.ts";
import { notForSale } from "../billing/billing.errors.ts";
import type { BillingRepository } from "../billing/billing.repository.ts";
import type { GrantPlan } from "../billing/plan-grants.ts";
import type { Buyer } from "../billing/pricing.ts";
import { isForSale, isPaidPlan } from "../plans/plans.repository.ts";

const PROVIDERS = ["aws", "azure", "gcp"] as const;
/** A cloud marketplace. */
export type Provider = (typeof PROVIDERS)[number];
/** A row of the table of marketplace accounts. */
export type MarketplaceRow = Selectable<MarketplaceAccounts>;

/**
 * The port to cloud marketplaces. `resolve` returns what a token was issued for; null when it is invalid or expired.
 */
export type MarketplaceDriver = {
  isTest: boolean;
  resolve(provider: Provider, token: string): Promise<{ customerId: string; product: string } | null>;
};

type Deps = {
  db: Database;
  billing: BillingRepository;
  /** Null where marketplaces are switched off. */
  driver: MarketplaceDriver | null;
  grantPlan: GrantPlan;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  forgetPlan(organizationId: string): void;
};
type Bought = { provider: Provider; customerId: string; product: string; isTest: boolean };

/** Subscriptions that are paid through a cloud marketplace. */
export function createMarketplace(deps: Deps) {
  const { db, billing, driver, grantPlan, audit, clock, ids, forgetPlan } = deps;

  /** Records a token as used. Throws `marketplace.token_used` on the second use. */
  async function useToken(hash: Buffer, accountId: string, call: string | undefined, trx: Database): Promise<void> {
    const used = await trx
      .insertInto("marketplace_tokens")
      .values({ token_hash: hash, account_id: accountId, idempotency_id: call ?? null, used_at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (used.numInsertedOrUpdatedRows === 0n)
      throw new AppError(409, "marketplace.token_used", "This token was used. Start again from the marketplace.");
  }

  /** Creates or updates the account of a marketplace customer. Throws when it belongs to another organization. */
  async function connect(
    { provider, customerId, product, isTest }: Bought,
    buyer: Buyer,
    isPlan: boolean,
    trx: Database,
  ) {
    const row = await trx
      .insertInto("marketplace_accounts")
      .values({
        id: ids.next("mkt"),
        organization_id: buyer.organizationId,
        provider,
        customer_id: customerId,
        product,
        status: isPlan ? "active" : "pending",
        is_test: isTest,
        created_at: clock.now(),
      })
      .onConflict((conflict) =>
        conflict
          .columns(["provider", "customer_id"])
          .doUpdateSet({ product, status: isPlan ? "active" : "pending" })
          .where("marketplace_accounts.organization_id", "=", buyer.organizationId),
      )
      .returningAll()
      .executeTakeFirst();
    if (!row)
      throw new AppError(409, "marketplace.account_taken", "This marketplace account pays for another organization.");
    return row;
  }

  async function putOnPlan({ product }: Bought, { organizationId }: Buyer, trx: Database): Promise<void> {
    const { live } = await billing.lock(organizationId, trx);
    if (live !== null && live.row.anchor_date !== null)
      throw new AppError(
        409,
        "marketplace.plan_is_paid",
        "You pay for a plan here. Cancel it, and connect the marketplace when its period is over.",
      );
    await grantPlan({ organizationId, planId: product, quantity: 1 }, trx);
  }

  async function ofCall(hash: Buffer, call: string | undefined): Promise<MarketplaceRow | undefined> {
    if (call === undefined) return undefined;
    return db
      .selectFrom("marketplace_tokens")
      .innerJoin("marketplace_accounts", "marketplace_accounts.id", "marketplace_tokens.account_id")
      .selectAll("marketplace_accounts")
      .where("marketplace_tokens.token_hash", "=", hash)
      .where("marketplace_tokens.idempotency_id", "=", call)
      .executeTakeFirst();
  }

  return {
    list: (organizationId: string): Promise<MarketplaceRow[]> =>
      db
        .selectFrom("marketplace_accounts")
        .selectAll()
        .where("organization_id", "=", organizationId)
        .orderBy("created_at", "desc")
        .orderBy("id")
        .execute(),

    /** Redeems a marketplace token. If its product is a plan, the organization is put on it at once. */
    async subscribe(buyer: Buyer, provider: string, token: string, call?: string): Promise<MarketplaceRow> {
      if (driver === null) throw marketplacesOff();
      if (!isProvider(provider))
        throw invalidRequest(`provider is not valid: it is one of ${PROVIDERS.join(", ")}.`, { param: "provider" });
      const hash = hashSecret(`${provider} ${token}`);
      const before = await ofCall(hash, call);
      if (before) return before;
      const resolved = await driver.resolve(provider, token);
      if (!resolved)
        throw new AppError(400, "marketplace.bad_token", "token is not valid. Start again from the marketplace.", {
          param: "token",
        });
      const bought = { provider, ...resolved, isTest: driver.isTest };
      const row = await db.transaction().execute(async (trx) => {
        const plan = isPaidPlan(bought.product) ? await billing.findPlan(bought.product, trx) : undefined;
        if (plan && !isForSale(plan)) throw notForSale(plan.name);
        if (plan) await putOnPlan(bought, buyer, trx);
        const account = await connect(bought, buyer, plan !== undefined, trx);
        await useToken(hash, account.id, call, trx);
        const details = { provider, customer_id: bought.customerId, product: bought.product };
        await audit.record({ ...buyer, action: "marketplace.subscribe", target: account.id, details }, trx);
        return account;
      });
      forgetPlan(buyer.organizationId);
      return row;
    },
  };
}

export type Marketplace = ReturnType<typeof createMarketplace>;

function marketplacesOff(): AppError {
  return new AppError(409, "marketplaces_off", "Cloud marketplaces are switched off on this server.", {
    headers: { "x-should-retry": "false" },
  });
}

function isProvider(text: string): text is Provider {
  return (PROVIDERS as readonly string[]).includes(text);
}
