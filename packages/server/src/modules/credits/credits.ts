import type { Database } from "../../db/connect.ts";
import { AppError } from "../../shared/errors.ts";
import type { Ledger, LedgerAccount, Posted } from "../ledger/ledger.ts";
import { usdOf } from "../prices/money.ts";
import { creditsAccount, lockCredits } from "./credits.repository.ts";

type GrantKind = "grant" | "top_up" | "reward" | "refund" | "plan";

/** The ledger account that credits come from, and return to when they are revoked. */
const SOURCES: Readonly<Record<GrantKind, LedgerAccount>> = {
  grant: "promotions",
  top_up: "cash",
  reward: "rewards",
  refund: "adjustments",
  plan: "revenue:subscriptions",
};

/** Why credits are granted or revoked. */
export type Grant = {
  kind: GrantKind;
  description: string;
  /** Identifies the event, such as `top_up:pay_1`. Each event is posted once. */
  reference: string;
  /** The ledger account that the credits come from, if not the default of the kind. */
  source?: LedgerAccount;
};

/** Prepaid credits in nano-USD: the total, the part reserved for requests in flight, and the rest. */
export type CreditBalance = { balance: bigint; reserved: bigint; available: bigint };

/** Grants and revokes the prepaid credits of organizations. */
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
     * Grants `amountNano` credits, or revokes them when it is below zero; throws `credits.insufficient` when fewer are
     * available. Returns the id of the ledger transaction. The same reference is posted once.
     */
    async grant(organizationId: string, amount: bigint, grant: Grant, trx?: Database): Promise<string> {
      return (await this.grantOnce(organizationId, amount, grant, trx)).id;
    },

    /** Like `grant`, but also returns whether the transaction is new. */
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
