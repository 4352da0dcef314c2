import { sql } from "kysely";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Events } from "../../platform/core/events.ts";
import { formatNanoUsd } from "../../platform/core/money.ts";
import { type BudgetSpending, nextLimitReset } from "../budgets/index.ts";
import { disputedAccount } from "../ledger/index.ts";
import { recordKeyRefusal } from "./key-alerts.ts";

/** Credits in nano-USD to reserve for a request. */
export type Reservation = {
  requestId: string;
  organizationId: string;
  userId: string | null;
  apiKeyId: string | null;
  amountNano: bigint;
};

type ReservationResult = {
  outcome: "reserved" | "insufficient_credits" | "budget_exceeded";
  available: string;
  limit_of: LimitHolder | null;
  limit_amount: string | null;
  limit_used: string | null;
  limit_reset: string | null;
  is_event_due: boolean | null;
};
type LimitHolder = "key" | "member" | "organization";
/**
 * The error of a refused reservation. `eventDueFor` is the owner of the limit that was reached, if no event of that is
 * recorded yet; otherwise null.
 */
type Refusal = { error: AppError; eventDueFor: LimitHolder | null };
/** Whether credits were drawn, otherwise why not, in a sentence; null where the organization does not draw any. */
export type DrawResult = { isDrawn: true } | { isDrawn: false; reason: string | null };
/**
 * Makes credits available that an organization pays for later, so that `neededNano` are, in nano-USD. The credits stay locked until
 * `trx` ends.
 */
export type DrawCredits = (organizationId: string, neededNano: bigint, trx: Database) => Promise<DrawResult>;
type Ports = { budgetSpending: BudgetSpending; events: Events; clock: Clock; drawCredits: DrawCredits };

const HOLDERS: Readonly<Record<LimitHolder, { holder: string; limitName: string }>> = {
  key: { holder: "this API key", limitName: "its limit" },
  member: { holder: "the member who calls", limitName: "their budget" },
  organization: { holder: "this organization", limitName: "its budget" },
};

/** If a reservation is not renewed for this long, the process that made it has died. */
const RESERVATION_LIFETIME_MS = 20_000;
const RENEW_INTERVAL_SECONDS = 5;

/** Reserves credits for requests in flight, so that together they cannot cost more than the available credits. */
export function createReservations(db: Database, ports: Ports) {
  const { clock } = ports;
  const ownRequestIds = new Set<string>();
  const nextExpiry = () => new Date(clock.now().getTime() + RESERVATION_LIFETIME_MS);

  /** Skips rows that are locked because they are being settled. */
  const unlockedReservations = () => db.selectFrom("credit_reservations").select("request_id").forUpdate().skipLocked();

  async function renew(): Promise<void> {
    if (ownRequestIds.size === 0) return;
    const ownReservations = unlockedReservations().where("request_id", "=", sql<string>`any(${[...ownRequestIds]})`);
    await db
      .updateTable("credit_reservations")
      .set({ expires_at: nextExpiry() })
      .where("request_id", "in", ownReservations)
      .execute();
  }

  async function deleteExpired(): Promise<void> {
    const expired = unlockedReservations().where("expires_at", "<", clock.now());
    await db.deleteFrom("credit_reservations").where("request_id", "in", expired).execute();
  }

  return {
    /** Reserves credits. Throws `insufficient_credits` or `budget_exceeded`. */
    async reserve(reservation: Reservation): Promise<void> {
      const refusal = await reserveOrDraw(db, ports, reservation, nextExpiry());
      if (refusal?.eventDueFor) await recordReached(db, ports, reservation, refusal.eventDueFor);
      if (refusal !== null) throw refusal.error;
      ownRequestIds.add(reservation.requestId);
    },

    /** Returns the error that `reserve` would throw now, or null. Reserves nothing. */
    async findRefusal(reservation: Reservation): Promise<AppError | null> {
      const trx = await db.startTransaction().execute();
      try {
        return (await reserveOrDraw(trx, ports, reservation, nextExpiry()))?.error ?? null;
      } finally {
        await trx.rollback().execute();
      }
    },

    /** Takes a reservation back, for a request that is not charged. */
    async release(requestId: string): Promise<void> {
      ownRequestIds.delete(requestId);
      await db.deleteFrom("credit_reservations").where("request_id", "=", requestId).execute();
    },

    /** Stops renewing reservations. Call it when the usage row of a request was written or discarded. */
    markSettled: (requestIds: readonly string[]): void => {
      for (const id of requestIds) ownRequestIds.delete(id);
    },

    /** Renews the reservations of this process and deletes expired ones. */
    job: {
      name: "release the credits that dead processes had set aside",
      everySeconds: RENEW_INTERVAL_SECONDS,
      onEveryReplica: true,
      async run(): Promise<void> {
        await renew();
        await deleteExpired();
      },
    },
  };
}

export type Reservations = ReturnType<typeof createReservations>;

/**
 * Stores a reservation, for which more credits are drawn where the available ones are not enough. Returns the reason if it
 * is refused.
 */
async function reserveOrDraw(
  db: Database,
  { clock, drawCredits }: Ports,
  reservation: Reservation,
  expiresAt: Date,
): Promise<Refusal | null> {
  const insert = (trx: Database) => insertReservation(trx, reservation, clock.now(), expiresAt);
  const refusal = await insert(db);
  if (refusal?.error.code !== "insufficient_credits") return refusal;
  // In one transaction, so that no other call takes what is drawn for this one.
  const draw = async (trx: Database) => {
    const result = await drawCredits(reservation.organizationId, reservation.amountNano, trx);
    if (result.isDrawn) return insert(trx);
    return result.reason === null ? refusal : { ...refusal, error: withReason(refusal.error, result.reason) };
  };
  return db.isTransaction ? draw(db) : db.transaction().execute(draw);
}

/** Stores a reservation. Returns the reason if it is refused; in that case nothing is stored. */
async function insertReservation(
  db: Database,
  { requestId, organizationId, userId, apiKeyId, amountNano }: Reservation,
  now: Date,
  expiresAt: Date,
): Promise<Refusal | null> {
  const { rows } = await sql<ReservationResult>`
    select * from reserve_credits(
      ${requestId}, ${organizationId}, ${userId}, ${apiKeyId}, ${String(amountNano)}::numeric, ${now}, ${expiresAt})
  `.execute(db);
  const [result] = rows;
  if (result?.outcome === "reserved") return null;
  if (result?.outcome !== "budget_exceeded") {
    const frozen = await readFrozenCredits(organizationId, db);
    return { error: insufficientCredits(BigInt(result?.available ?? 0), amountNano, frozen), eventDueFor: null };
  }
  const holder = result.limit_of ?? "key";
  return {
    error: budgetExceeded(result, holder, amountNano, now),
    eventDueFor: result.is_event_due ? holder : null,
  };
}

/** Records the webhook event that a limit is reached, for the limit that refused a reservation. */
async function recordReached(
  db: Database,
  { budgetSpending, ...deps }: Ports,
  { organizationId, userId, apiKeyId }: Reservation,
  holder: LimitHolder,
): Promise<void> {
  if (holder !== "key")
    return budgetSpending.recordRefusal({ organizationId, userId: holder === "member" ? userId : null });
  if (apiKeyId !== null) await recordKeyRefusal(deps, apiKeyId, db);
}

async function readFrozenCredits(organizationId: string, db: Database): Promise<bigint> {
  const row = await db
    .selectFrom("ledger_accounts")
    .select("balance_nano_usd")
    .where("account", "=", disputedAccount(organizationId))
    .executeTakeFirst();
  return BigInt(row?.balance_nano_usd ?? 0);
}

/** Returns the error `insufficient_credits` (402) for a request that may cost more than is available, both in nano-USD. */
function insufficientCredits(available: bigint, needed: bigint, frozen: bigint): AppError {
  const frozenText = frozen > 0n ? ` $${formatNanoUsd(frozen)} are frozen while a payment is disputed.` : "";
  return errors.insufficientCredits(
    `This request may cost up to $${formatNanoUsd(needed)}, and $${formatNanoUsd(available)} of credits are available.${frozenText} Top up, ask for fewer tokens with max_tokens, or wait for requests in flight to end.`,
    { details: { available_nano_usd: String(available), needed_nano_usd: String(needed) } },
  );
}

/** Adds to an error `insufficient_credits` why no more credits were drawn. */
const withReason = ({ message, details }: AppError, reason: string): AppError =>
  errors.insufficientCredits(`${message} ${reason}`, { ...(details && { details }) });

function budgetExceeded(result: ReservationResult, holder: LimitHolder, needed: bigint, now: Date): AppError {
  const [limit, used] = [result.limit_amount ?? "0", result.limit_used ?? "0"];
  const reset = nextLimitReset(result.limit_reset, now);
  const resetText = reset === null ? "It does not reset." : `It resets at ${reset.toISOString()}.`;
  return errors.budgetExceeded(
    {
      ...HOLDERS[holder],
      needed: formatNanoUsd(needed),
      used: formatNanoUsd(BigInt(used)),
      limit: formatNanoUsd(BigInt(limit)),
      resetText,
    },
    {
      ...(reset && { retryAfterSeconds: Math.ceil((reset.getTime() - now.getTime()) / 1000) }),
      details: { budget: holder, limit, used, reset_at: reset?.toISOString() ?? null },
    },
  );
}
