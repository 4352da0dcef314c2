import { sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import { usdOf } from "../prices/money.ts";

/** Credits in nano-USD to reserve for a request. */
export type Reservation = { requestId: string; organizationId: string; apiKeyId: string | null; amount: bigint };

type Answer = {
  outcome: "reserved" | "insufficient_credits" | "budget_exceeded";
  available: string;
  key_limit: string | null;
  key_used: string | null;
  key_reset: string | null;
};

/** A reservation that is not renewed for this long belongs to a process that died. */
const LIFE = 20_000;
const RENEW_SECONDS = 5;

/** Reserves credits for requests in flight, so that together they cannot spend more than there is. */
export function createReservations(db: Database, clock: Clock) {
  const live = new Set<string>();
  const expiry = () => new Date(clock.now().getTime() + LIFE);

  /** Skips rows that are being settled at this moment. */
  const idle = () => db.selectFrom("credit_reservations").select("request_id").forUpdate().skipLocked();

  async function renew(): Promise<void> {
    if (live.size === 0) return;
    const own = idle().where("request_id", "=", sql<string>`any(${[...live]})`);
    await db.updateTable("credit_reservations").set({ expires_at: expiry() }).where("request_id", "in", own).execute();
  }

  async function release(): Promise<void> {
    const expired = idle().where("expires_at", "<", clock.now());
    await db.deleteFrom("credit_reservations").where("request_id", "in", expired).execute();
  }

  return {
    /** Reserves credits. Throws `insufficient_credits` or `budget_exceeded`. */
    async reserve({ requestId, organizationId, apiKeyId, amount }: Reservation): Promise<void> {
      const now = clock.now();
      const { rows } = await sql<Answer>`
        select * from reserve_credits(
          ${requestId}, ${organizationId}, ${apiKeyId}, ${String(amount)}::numeric, ${now}, ${expiry()})
      `.execute(db);
      const [answer] = rows;
      if (answer?.outcome === "reserved") return void live.add(requestId);
      throw answer?.outcome === "budget_exceeded"
        ? budgetExceeded(answer, amount, now)
        : insufficientCredits(BigInt(answer?.available ?? 0), amount);
    },

    /** Stops renewing reservations. Call it when the usage row of a request is written or was given up. */
    settled: (requestIds: readonly string[]): void => {
      for (const id of requestIds) live.delete(id);
    },

    /** Renews the reservations of this process and deletes expired ones. */
    job: {
      name: "release the credits that dead processes had set aside",
      everySeconds: RENEW_SECONDS,
      async run(): Promise<void> {
        await renew();
        await release();
      },
    },
  };
}

export type Reservations = ReturnType<typeof createReservations>;

function insufficientCredits(available: bigint, needed: bigint): AppError {
  return new AppError(
    402,
    "insufficient_credits",
    `This request may cost up to $${usdOf(needed)}, and $${usdOf(available)} of credits are available. Top up, ask for fewer tokens with max_tokens, or wait for requests in flight to end.`,
    {
      headers: { "x-should-retry": "false" },
      details: { available_nano_usd: String(available), needed_nano_usd: String(needed) },
    },
  );
}

function budgetExceeded({ key_limit, key_used, key_reset }: Answer, needed: bigint, now: Date): AppError {
  const [limit, used] = [key_limit ?? "0", key_used ?? "0"];
  const reset = nextReset(key_reset, now);
  const again = reset === null ? "It does not reset." : `It resets at ${reset.toISOString()}.`;
  return new AppError(
    402,
    "budget_exceeded",
    `This request may cost up to $${usdOf(needed)}, and this API key has used or set aside $${usdOf(BigInt(used))} of its limit of $${usdOf(BigInt(limit))}. ${again}`,
    {
      headers: {
        "x-should-retry": "false",
        ...(reset && { "retry-after": String(Math.ceil((reset.getTime() - now.getTime()) / 1000)) }),
      },
      details: { limit, used, reset_at: reset?.toISOString() ?? null },
    },
  );
}

/** When a spend limit resets next: midnight, Monday or the first of the month, in UTC; null when it does not. */
export function nextReset(period: string | null, now: Date): Date | null {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (period === "day") return new Date(Date.UTC(year, month, day + 1));
  if (period === "week") return new Date(Date.UTC(year, month, day + 7 - ((now.getUTCDay() + 6) % 7)));
  if (period === "month") return new Date(Date.UTC(year, month + 1, 1));
  return null;
}
