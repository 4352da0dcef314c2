import type { Database } from "../../platform/core/db/connect.ts";

/** Returns the name of the ledger account that holds an organization's credits. */
export const creditsAccount = (organizationId: string) => `credits:${organizationId}` as const;

/** Credits of an organization in nano-USD; `available` excludes reservations. */
export type LockedCredits = { organizationId: string; balance: bigint; available: bigint };

/**
 * Locks and returns the credits of organizations until `trx` ends. Locks in the order of account names to avoid
 * deadlocks.
 */
export async function lockAllCredits(organizationIds: readonly string[], trx: Database): Promise<LockedCredits[]> {
  if (organizationIds.length === 0) return [];
  const accounts = await trx
    .selectFrom("ledger_accounts")
    .select(["account", "balance_nano_usd"])
    .where("account", "in", organizationIds.map(creditsAccount))
    .orderBy("account")
    .forUpdate()
    .execute();
  const reserved = await trx
    .selectFrom("credit_reservations")
    .select((eb) => ["organization_id", eb.fn.sum<string>("amount_nano_usd").as("sum")])
    .where("organization_id", "in", organizationIds)
    .groupBy("organization_id")
    .execute();
  const balances = new Map(accounts.map(({ account, balance_nano_usd }) => [account, BigInt(balance_nano_usd)]));
  const reservedNano = new Map(reserved.map(({ organization_id, sum }) => [organization_id, BigInt(sum)]));
  return organizationIds.map((organizationId) => {
    const balance = balances.get(creditsAccount(organizationId)) ?? 0n;
    return { organizationId, balance, available: balance - (reservedNano.get(organizationId) ?? 0n) };
  });
}

/** Locks and returns the credits of one organization until `trx` ends. */
export async function lockCredits(organizationId: string, trx: Database): Promise<LockedCredits> {
  const [credits] = await lockAllCredits([organizationId], trx);
  return credits ?? { organizationId, balance: 0n, available: 0n };
}

/** A ledger transaction as it affects an organization's credits; the amount is in nano-USD. */
export type CreditTransaction = {
  id: string;
  kind: string;
  amount_nano_usd: string;
  description: string;
  request_id: string | null;
  created_at: Date;
};

/** Reads the credit transactions of organizations. */
export function createCreditsRepository(db: Database) {
  const transactionsOf = (organizationId: string) =>
    db
      .selectFrom("ledger_entries")
      .innerJoin("ledger_transactions", "ledger_transactions.id", "ledger_entries.transaction_id")
      .select(["ledger_transactions.id", "kind", "amount_nano_usd", "description", "request_id", "created_at"])
      .where("account", "=", creditsAccount(organizationId));
  return {
    /** Returns the credit transactions of an organization, newest first. */
    transactions: (organizationId: string, limit: number, offset: number): Promise<CreditTransaction[]> =>
      transactionsOf(organizationId).orderBy("sequence", "desc").limit(limit).offset(offset).execute(),

    transaction: (organizationId: string, id: string): Promise<CreditTransaction | undefined> =>
      transactionsOf(organizationId).where("ledger_transactions.id", "=", id).executeTakeFirst(),

    /** Returns the number of credit transactions, from a counter that the ledger maintains. */
    async transactionCount(organizationId: string): Promise<number> {
      const row = await db
        .selectFrom("ledger_accounts")
        .select("entries")
        .where("account", "=", creditsAccount(organizationId))
        .executeTakeFirst();
      return row?.entries ?? 0;
    },

    /** Returns the organization that a user joined first; null for an unknown user. */
    async findOrganizationId(userId: string): Promise<string | null> {
      const row = await db
        .selectFrom("memberships")
        .select("organization_id")
        .where("user_id", "=", userId)
        .orderBy("created_at")
        .orderBy("organization_id")
        .limit(1)
        .executeTakeFirst();
      return row?.organization_id ?? null;
    },
  };
}

export type CreditsRepository = ReturnType<typeof createCreditsRepository>;
