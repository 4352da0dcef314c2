import type { Database } from "../../db/connect.ts";
import { AppError } from "../../shared/errors.ts";
import type { Ledger, LedgerAccount, Posted } from "../ledger/ledger.ts";
import { usdOf } from "../prices/money.ts";
import { creditsAccount, lockCredits } from "./credits.repository.ts";

type GrantKind = "grant" | "top_up" | "reward" | "refund" | "plan";

/** What the credits come from, and go back to when they are taken away. */
const SOURCES: Readonly<Record<GrantKind, LedgerAccount>> = {
  grant: "promotions",
  top_up: "cash",
  reward: "rewards",
  refund: "adjustments",
  plan: "revenue:subscriptions",
};

export type Grant = {
  kind: GrantKind;
  description: string;
  /** Names the event, such as `top_up:pay_1`. The same event moves money once. */
  reference: string;
  /** Where the credits come from, if not from where its kind usually does. */
  source?: LedgerAccount;
};

/** Prepaid credits in nano-USD: all of them, those set aside for requests in flight, and the rest. */
export type CreditBalance = { balance: bigint; reserved: bigint; available: bigint };

export function createCredits(db: Database, ledger: Ledger) {
  async function move(organizationId: string, amount: bigint, grant: Grant, trx: Database): Promise<Posted> {
    const { source, ...transaction } = grant;
    if (amount < 0n) {
      const { available } = await lockCredits(organizationId, trx);
      if (available < -amount && !(await ledger.isPosted(grant.reference, trx))) throw notEnough(available, -amount);
    }
    return ledger.postOnce(
      {
        ...transaction,
        organizationId,
        entries: [
          { account: creditsAccount(organizationId), amountNano: amount },
          { account: source ?? SOURCES[grant.kind], amountNano: -amount },
        ],
      },
      trx,
    );
  }

  return {
    /**
     * Gives an organization credits, or takes some away when the amount is below zero: never more than are available.
     * Answers the id of the transaction; the same reference moves money once.
     */
    async grant(organizationId: string, amount: bigint, grant: Grant, trx?: Database): Promise<string> {
      return (await this.grantOnce(organizationId, amount, grant, trx)).id;
    },

    /** The same, telling whether it was done now. */
    grantOnce(organizationId: string, amount: bigint, grant: Grant, trx?: Database): Promise<Posted> {
      if (trx) return move(organizationId, amount, grant, trx);
      return db.transaction().execute((own) => move(organizationId, amount, grant, own));
    },

    async balance(organizationId: string, trx: Database = db): Promise<CreditBalance> {
      const row = await trx
        .selectNoFrom((eb) => [
          eb
            .selectFrom("ledger_accounts")
            .select("balance_nano_usd")
            .where("account", "=", creditsAccount(organizationId))
            .as("balance"),
          eb
            .selectFrom("credit_reservations")
            .select((sum) => sum.fn.sum<string>("amount_nano_usd").as("sum"))
            .where("organization_id", "=", organizationId)
            .as("reserved"),
        ])
        .executeTakeFirstOrThrow();
      const balance = BigInt(row.balance ?? 0);
      const reserved = BigInt(row.reserved ?? 0);
      return { balance, reserved, available: balance - reserved };
    },
  };
}

export type Credits = ReturnType<typeof createCredits>;

function notEnough(available: bigint, wanted: bigint): AppError {
  return new AppError(
    409,
    "credits.insufficient",
    `Only $${usdOf(available)} of credits are available, and $${usdOf(wanted)} would be taken.`,
    { details: { available_nano_usd: String(available), needed_nano_usd: String(wanted) } },
  );
}
