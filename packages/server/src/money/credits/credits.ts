import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { lockOrganizationsForKeyShare } from "../../platform/core/db/locks.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import { formatNanoUsd } from "../../platform/core/money.ts";
import type { Ledger, LedgerAccount, PostedTransaction } from "../ledger/index.ts";
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
export type CreditGrant = {
  kind: GrantKind;
  description: string;
  /** Identifies the event, such as `top_up:pay_1`. Each event is posted once. */
  reference: string;
  /** The ledger account that the credits come from, if not the default of the kind. */
  source?: LedgerAccount;
};

/** Prepaid credits in nano-USD: the total, the part reserved for requests in flight, and the rest. */
export type CreditBalance = { balance: bigint; reserved: bigint; available: bigint };

type Context = { db: Database; ledger: Ledger };

/** Grants and revokes the prepaid credits of organizations. */
export function createCredits(db: Database, ledger: Ledger) {
  const context: Context = { db, ledger };
  return bind(context, { grant: grantCredits, grantOnce, balance: readBalance });
}

export type Credits = ReturnType<typeof createCredits>;

async function postGrant(
  context: Context,
  organizationId: string,
  amountNano: bigint,
  grant: CreditGrant,
  trx: Database,
): Promise<PostedTransaction> {
  const { ledger } = context;
  const { source, ...transaction } = grant;
  if (amountNano < 0n) await refuseMissingCredits(context, organizationId, -amountNano, grant.reference, trx);
  else await refuseDeletedOrganization(organizationId, trx);
  return ledger.postOnce(
    {
      ...transaction,
      organizationId,
      entries: [
        { account: creditsAccount(organizationId), amountNano },
        { account: source ?? SOURCES[grant.kind], amountNano: -amountNano },
      ],
    },
    trx,
  );
}

async function refuseMissingCredits(
  { ledger }: Context,
  organizationId: string,
  neededNano: bigint,
  reference: string,
  trx: Database,
): Promise<void> {
  const { available } = await lockCredits(organizationId, trx);
  if (available < neededNano && !(await ledger.isPosted(reference, trx)))
    throw creditsNotAvailable(available, neededNano);
}

/**
 * Locks the organization against deletion until the transaction ends. Throws `organization.deleted` if it is deleted,
 * because nobody could use its credits.
 */
async function refuseDeletedOrganization(organizationId: string, trx: Database): Promise<void> {
  const [foundId] = await lockOrganizationsForKeyShare([organizationId], trx);
  if (foundId === undefined) throw errors.organization.deleted();
}

/**
 * Grants `amountNano` credits, or revokes them when it is below zero. Throws `organization.deleted`, and
 * `insufficient_credits` when fewer are available. Returns the id of the ledger transaction. The same reference is
 * posted once.
 */
async function grantCredits(
  context: Context,
  organizationId: string,
  amountNano: bigint,
  grant: CreditGrant,
  trx?: Database,
): Promise<string> {
  return (await grantOnce(context, organizationId, amountNano, grant, trx)).id;
}

/** Like `grant`, but also returns whether the transaction is new. */
function grantOnce(
  context: Context,
  organizationId: string,
  amountNano: bigint,
  grant: CreditGrant,
  trx?: Database,
): Promise<PostedTransaction> {
  const { db } = context;
  if (trx) return postGrant(context, organizationId, amountNano, grant, trx);
  return db.transaction().execute((own) => postGrant(context, organizationId, amountNano, grant, own));
}

async function readBalance({ db }: Context, organizationId: string, trx: Database = db): Promise<CreditBalance> {
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
}

function creditsNotAvailable(available: bigint, neededNano: bigint): AppError {
  return errors.insufficientCredits(
    `Only $${formatNanoUsd(available)} of credits are available, and $${formatNanoUsd(neededNano)} would be taken.`,
    { status: 409, details: { available_nano_usd: String(available), needed_nano_usd: String(neededNano) } },
  );
}
