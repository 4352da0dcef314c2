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
