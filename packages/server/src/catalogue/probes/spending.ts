import { sql } from "kysely";
import { calculateCostNano, type PlaceFacts, type ProbeBody, type ReportedUsage } from "../../gateway/index.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { centsToNano } from "../../platform/core/money.ts";
import { DAY_MS } from "../../platform/core/time.ts";

/** The price that a backend states, in USD per token. */
export type StatedPrice = NonNullable<PlaceFacts["price"]>;

/** An amount that was added to a day's spending before a call, in nano-USD. The day is that of UTC. */
export type SpendingReservation = { day: string; nano: bigint };

/** English prompts and JSON have more characters in a token. */
const MIN_CHARACTERS_PER_TOKEN = 2;
/** What a chat template adds to a prompt. */
const TEMPLATE_TOKENS = 200;
/** More than any provider counts for a picture of 64 by 64 pixels. */
const IMAGE_TOKENS = 10_000;
/** Days whose spending is kept. */
const KEPT_DAYS = 30;

type Deps = { db: Database; clock: Clock; dailyCents: number };

/** Creates the store of what probes cost at backends elsewhere. Several processes may reserve at the same time. */
export function createSpending(deps: Deps) {
  return bind(deps, { reserve, settle, deleteOld });
}

export type Spending = ReturnType<typeof createSpending>;

/** Returns the most that a call can cost in nano-USD. */
export function computeHighestCost(price: StatedPrice, body: ProbeBody, images: number): bigint {
  const characters = JSON.stringify({ ...body, messages: images > 0 ? [] : body.messages }).length;
  return computeCost(price, {
    prompt: Math.ceil(characters / MIN_CHARACTERS_PER_TOKEN) + TEMPLATE_TOKENS + images * IMAGE_TOKENS,
    completion: body.max_tokens,
    images,
  });
}

/** Returns what a call has cost in nano-USD, by the tokens that the backend has counted. */
export function computeCost(
  price: StatedPrice,
  { prompt, completion, images }: Pick<ReportedUsage, "prompt" | "completion"> & { images: number },
): bigint {
  return calculateCostNano(
    {
      prompt: price.prompt,
      completion: price.completion,
      image: price.image ?? "0",
      audio_second: "0",
      character: "0",
      request: "0",
    },
    { promptTokens: prompt, completionTokens: completion, images, audioMs: 0, characters: 0 },
  );
}

/** Adds a call's highest cost to today's spending. Returns null, and adds nothing, if the budget has no room for it. */
async function reserve({ db, clock, dailyCents }: Deps, nano: bigint): Promise<SpendingReservation | null> {
  const budget = centsToNano(dailyCents);
  if (nano > budget || budget === 0n) return null;
  const day = clock.now().toISOString().slice(0, 10);
  const { rows } = await sql`
    insert into probe_spending (day, spent_nano_usd) values (${day}::date, ${String(nano)}::numeric)
    on conflict (day) do update set spent_nano_usd = probe_spending.spent_nano_usd + excluded.spent_nano_usd
    where probe_spending.spent_nano_usd + excluded.spent_nano_usd <= ${String(budget)}::numeric
    returning day`.execute(db);
  return rows.length === 0 ? null : { day, nano };
}

/** Replaces what was reserved for a call by what it has cost. */
async function settle({ db }: Deps, { day, nano }: SpendingReservation, costNano: bigint): Promise<void> {
  await sql`
    update probe_spending set spent_nano_usd = greatest(0, spent_nano_usd + ${String(costNano - nano)}::numeric)
    where day = ${day}::date`.execute(db);
}

async function deleteOld({ db, clock }: Deps): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS).toISOString().slice(0, 10);
  await sql`delete from probe_spending where day < ${before}::date`.execute(db);
}
