import type { Database } from "../../db/connect.ts";

export const creditsAccount = (organizationId: string) => `credits:${organizationId}` as const;

export type LockedCredits = { organizationId: string; balance: bigint; available: bigint };

/** Credits of organizations, which nobody else moves or sets aside until `trx` ends. Locks in the order of names. */
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
  const holds = new Map(reserved.map(({ organization_id, sum }) => [organization_id, BigInt(sum)]));
  return organizationIds.map((organizationId) => {
    const balance = balances.get(creditsAccount(organizationId)) ?? 0n;
    return { organizationId, balance, available: balance - (holds.get(organizationId) ?? 0n) };
  });
}

export async function lockCredits(organizationId: string, trx: Database): Promise<LockedCredits> {
  const [credits] = await lockAllCredits([organizationId], trx);
  return credits ?? { organizationId, balance: 0n, available: 0n };
}

export type CreditTransaction = {
  id: string;
  kind: string;
  amount_nano_usd: string;
  description: string;
  request_id: string | null;
  created_at: Date;
};

export function createCreditsRepository(db: Database) {
  const moves = (organizationId: string) =>
    db
      .selectFrom("ledger_entries")
      .innerJoin("ledger_transactions", "ledger_transactions.id", "ledger_entries.transaction_id")
      .select(["ledger_transactions.id", "kind", "amount_nano_usd", "description", "request_id", "created_at"])
      .where("account", "=", creditsAccount(organizationId));
  return {
    /** What moved the credits, newest first. */
    transactions: (organizationId: string, limit: number, offset: number): Promise<CreditTransaction[]> =>
      moves(organizationId).orderBy("sequence", "desc").limit(limit).offset(offset).execute(),

    transaction: (organizationId: string, id: string): Promise<CreditTransaction | undefined> =>
      moves(organizationId).where("ledger_transactions.id", "=", id).executeTakeFirst(),

    /** How many transactions there are; the ledger counts them as it goes. */
    async transactionCount(organizationId: string): Promise<number> {
      const row = await db
        .selectFrom("ledger_accounts")
        .select("entries")
        .where("account", "=", creditsAccount(organizationId))
        .executeTakeFirst();
      return row?.entries ?? 0;
    },

    /** The organization a user belongs to, the one joined first where there are several. */
    async organizationOf(userId: string): Promise<string | null> {
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
