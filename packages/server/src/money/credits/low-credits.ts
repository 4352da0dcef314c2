import type { Database } from "../../platform/core/db/connect.ts";
import type { Events } from "../../platform/core/events.ts";
import { creditsAccount } from "./credits.repository.ts";

type Charge = { organization_id: string; cost_nano_usd?: string | number | null | undefined };

/** Credits below this amount are low: 1 USD in nano-USD. */
const LOW_CREDITS_NANO = 1_000_000_000n;

/**
 * Records a webhook event for each organization whose credits these charges brought below 1 USD. Needs the transaction that
 * has posted the charges, which holds the locks of the accounts.
 */
export async function recordLowCredits(
  { events }: { events: Events },
  charges: readonly Charge[],
  trx: Database,
): Promise<void> {
  if (charges.length === 0) return;
  const charged = new Map<string, bigint>();
  for (const { organization_id, cost_nano_usd } of charges)
    charged.set(organization_id, (charged.get(organization_id) ?? 0n) + BigInt(cost_nano_usd ?? 0));
  const accounts = new Map([...charged.keys()].map((id) => [creditsAccount(id) as string, id]));
  const balances = await trx
    .selectFrom("ledger_accounts")
    .select(["account", "balance_nano_usd"])
    .where("account", "in", [...accounts.keys()])
    .where("balance_nano_usd", "<", String(LOW_CREDITS_NANO))
    .execute();
  for (const { account, balance_nano_usd } of balances) {
    const organizationId = accounts.get(account);
    if (organizationId === undefined) continue;
    const before = BigInt(balance_nano_usd) + (charged.get(organizationId) ?? 0n);
    const data = { balance_nano_usd, threshold_nano_usd: String(LOW_CREDITS_NANO) };
    if (before >= LOW_CREDITS_NANO) await events.record(organizationId, { type: "credits.low", data }, trx);
  }
}
