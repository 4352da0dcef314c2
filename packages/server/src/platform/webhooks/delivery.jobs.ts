import { type Selectable, sql } from "kysely";
import type { Logger } from "pino";
import { bind } from "../core/bind.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import type { WebhookDeliveries } from "../core/db/schema.generated.ts";
import type { Outgoing } from "../core/network/outgoing.ts";
import type { Sealer } from "../core/secrets/sealing.ts";
import { DAY_MS, SECOND_MS } from "../core/time.ts";
import type { Mail } from "../mail/index.ts";
import { sendDisabledMail } from "./disabled-mail.ts";
import { nextDelayMs } from "./retry-schedule.ts";
import { type AttemptResult, sendWebhook } from "./send-webhook.ts";
import type { EndpointRow, WebhooksRepository } from "./webhooks.repository.ts";

type Deps = {
  db: Database;
  webhooksRepository: WebhooksRepository;
  sealer: Sealer;
  outgoing: Pick<Outgoing, "fetch">;
  mail: Mail;
  clock: Clock;
  log: Pick<Logger, "info" | "error">;
  productName: string;
  /** Returns a number from 0 to 1, for the jitter of retries. */
  random(): number;
  /** The longest time that an endpoint may take to respond. */
  timeoutMs?: number;
};

type Delivery = Selectable<WebhookDeliveries>;
type Context = Deps & {
  timeoutMs: number;
  inFlight: Map<string, Delivery>;
  settling: Set<Promise<void>>;
  /** Whether new attempts are no longer begun. */
  stopped: boolean;
  /** The claiming in progress: one at a time, so that the limits hold. */
  claiming: Promise<void>;
};

const DEFAULT_TIMEOUT_MS = 10 * SECOND_MS;
/** After this time another process may make the attempt, because the one that claimed it has died. */
const LEASE_MS = 60 * SECOND_MS;
/**
 * The maximum of concurrent attempts in this process: in total, and (below) per endpoint and organization, so that slow
 * ones do not block the others.
 */
const MAX_IN_FLIGHT = 64;
const MAX_PER_ENDPOINT = 4;
const MAX_PER_ORGANIZATION = 16;
/** An endpoint is disabled when it fails for this long. */
const MAX_FAILING_MS = 5 * DAY_MS;
const GONE = 410;

/** Creates the delivery of events. Several processes may deliver at once: each attempt is claimed by one. */
export function createDelivery({ timeoutMs = DEFAULT_TIMEOUT_MS, ...deps }: Deps) {
  const context: Context = {
    ...deps,
    timeoutMs,
    inFlight: new Map(),
    settling: new Set(),
    stopped: false,
    claiming: Promise.resolve(),
  };
  return bind(context, { start: startDue, settled: waitUntilSettled, stop: stopDelivery });
}

/** Begins the attempts that are due, up to the limits. Does not wait for endpoints to answer. */
function startDue(context: Context): Promise<void> {
  const claiming = context.claiming.then(() => claimDue(context));
  context.claiming = claiming.catch(() => {}); // the caller gets the error
  return claiming;
}

async function claimDue(context: Context): Promise<void> {
  const { inFlight, settling } = context;
  while (!context.stopped && inFlight.size < MAX_IN_FLIGHT) {
    const delivery = await claimNext(context);
    if (!delivery) return;
    inFlight.set(delivery.id, delivery);
    const attempt = deliver(context, delivery).then(() => void settling.delete(attempt));
    settling.add(attempt);
  }
}

/** Begins no further attempts, and waits for those in progress. */
async function stopDelivery(context: Context): Promise<void> {
  context.stopped = true;
  await waitUntilSettled(context);
}

/** Waits until nothing is being sent. */
async function waitUntilSettled(context: Context): Promise<void> {
  await context.claiming;
  while (context.settling.size > 0) await Promise.all(context.settling);
}

/**
 * Makes an attempt, stores its result, and begins the next attempts that are due. Never throws: an attempt whose result
 * could not be stored is made again.
 */
async function deliver(context: Context, delivery: Delivery): Promise<void> {
  const { inFlight, log } = context;
  try {
    await attempt(context, delivery);
  } catch (error) {
    log.error({ err: error, delivery: delivery.id }, "the result of a webhook was not stored: it will be sent again");
  }
  inFlight.delete(delivery.id);
  await startDue(context).catch((error: unknown) => log.error({ err: error }, "webhooks that are due were not read"));
}

/** Claims the next attempt. Postpones the delivery, so that it is retried if this process dies. */
function claimNext({ db, clock, inFlight }: Context): Promise<Delivery | undefined> {
  const now = clock.now();
  const deliveries = [...inFlight.values()];
  const fullEndpoints = listFull(
    deliveries.map((delivery) => delivery.endpoint_id),
    MAX_PER_ENDPOINT,
  );
  const fullOrganizations = listFull(
    deliveries.map((delivery) => delivery.organization_id),
    MAX_PER_ORGANIZATION,
  );
  return db
    .updateTable("webhook_deliveries")
    .set((eb) => ({
      attempts: eb("attempts", "+", 1),
      last_attempt_at: now,
      send_after: new Date(now.getTime() + LEASE_MS),
    }))
    .where("id", "=", (eb) =>
      eb
        .selectFrom("webhook_deliveries")
        .select("id")
        .where("status", "=", "pending")
        .where("send_after", "<=", now)
        .where(sql<boolean>`endpoint_id <> all(${fullEndpoints})`)
        .where(sql<boolean>`organization_id <> all(${fullOrganizations})`)
        .orderBy("send_after")
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Returns the ids that occur `max` times or more. */
function listFull(ids: readonly string[], max: number): string[] {
  return [...new Set(ids)].filter((id) => ids.filter((other) => other === id).length >= max);
}

async function attempt(context: Context, delivery: Delivery): Promise<void> {
  const { db, clock } = context;
  const row = await db
    .selectFrom("webhook_endpoints")
    .innerJoin("webhook_events", (join) => join.on("webhook_events.id", "=", delivery.event_id))
    .select(["url", "secret", "previous_secret", "previous_secret_expires_at", "disabled_reason", "body"])
    .where("webhook_endpoints.id", "=", delivery.endpoint_id)
    .executeTakeFirst();
  if (!row) return; // deleted meanwhile, and the delivery with it
  if (row.disabled_reason !== null)
    return recordResult(context, delivery, { status: null, error: "The endpoint is disabled.", retryAfterMs: null });
  const secrets = openSecrets(context, row, clock.now());
  const result = await sendWebhook(context, { url: row.url, eventId: delivery.event_id, body: row.body, secrets });
  await recordResult(context, delivery, result);
}

/** Returns the current secrets for signing, the newest first. */
function openSecrets(
  { sealer }: Context,
  row: Pick<EndpointRow, "secret" | "previous_secret" | "previous_secret_expires_at">,
  now: Date,
): string[] {
  const { secret, previous_secret: previous, previous_secret_expires_at: previousEnd } = row;
  const isPreviousValid = previous !== null && previousEnd !== null && previousEnd > now;
  return [secret, ...(isPreviousValid ? [previous] : [])].map((sealed) => sealer.open(sealed));
}

async function recordResult(context: Context, delivery: Delivery, result: AttemptResult): Promise<void> {
  const { db, webhooksRepository } = context;
  await db.transaction().execute(async (trx) => {
    const endpoint = await webhooksRepository.lock(delivery.organization_id, delivery.endpoint_id, trx);
    if (!endpoint) return;
    if (result.error === null) await recordSuccess(context, delivery, endpoint, result, trx);
    else await recordFailure(context, delivery, endpoint, result, trx);
  });
}

async function recordSuccess(
  { webhooksRepository }: Context,
  { id }: Delivery,
  endpoint: EndpointRow,
  { status }: AttemptResult,
  trx: Database,
): Promise<void> {
  await trx
    .updateTable("webhook_deliveries")
    .set({ status: "delivered", response_status: status, error: null })
    .where("id", "=", id)
    .execute();
  if (endpoint.first_failed_at !== null) await webhooksRepository.update(endpoint.id, { first_failed_at: null }, trx);
}

/**
 * Schedules the next attempt, or marks the delivery as failed. Disables an endpoint that is gone or has failed for too
 * long.
 */
async function recordFailure(
  context: Context,
  delivery: Delivery,
  endpoint: EndpointRow,
  { status, error, retryAfterMs }: AttemptResult,
  trx: Database,
): Promise<void> {
  const { webhooksRepository, clock, random } = context;
  const now = clock.now();
  const isEnabled = endpoint.disabled_reason === null;
  const delayMs = isEnabled ? nextDelayMs(delivery.attempts, retryAfterMs, random()) : null;
  const firstFailedAt = endpoint.first_failed_at ?? delivery.last_attempt_at ?? now;
  await trx
    .updateTable("webhook_deliveries")
    .set({
      response_status: status,
      error,
      ...(delayMs === null ? { status: "failed" } : { send_after: new Date(now.getTime() + delayMs) }),
    })
    .where("id", "=", delivery.id)
    .where("status", "=", "pending")
    .where("attempts", "=", delivery.attempts) // another process made a later attempt
    .execute();
  if (!isEnabled) return;
  if (endpoint.first_failed_at === null)
    await webhooksRepository.update(endpoint.id, { first_failed_at: firstFailedAt }, trx);
  if (status === GONE) await disable(context, endpoint, "gone", trx);
  else if (now.getTime() - firstFailedAt.getTime() >= MAX_FAILING_MS) await disable(context, endpoint, "failing", trx);
}

async function disable(
  context: Context,
  endpoint: EndpointRow,
  reason: "gone" | "failing",
  trx: Database,
): Promise<void> {
  const { webhooksRepository, log } = context;
  await webhooksRepository.update(endpoint.id, { disabled_reason: reason }, trx);
  await webhooksRepository.failPending(endpoint.id, "The endpoint was disabled.", trx);
  await sendDisabledMail(context.mail, endpoint, reason, trx);
  log.info(
    { endpoint: endpoint.id, organization: endpoint.organization_id, reason },
    "a webhook endpoint was disabled",
  );
}
