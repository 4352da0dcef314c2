import { sql } from "kysely";
import type { Logger } from "pino";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { DAY_MS } from "../../platform/core/time.ts";
import type { MarketplaceProvider } from "../billing/index.ts";
import type { ReceivedNotification } from "./marketplace-driver.ts";
import type { MarketplaceDrivers, PurchaseChecks } from "./purchase-checks.ts";
import type { PurchasesRepository } from "./purchases.repository.ts";

type Deps = {
  db: Database;
  drivers: MarketplaceDrivers;
  purchases: PurchasesRepository;
  checks: PurchaseChecks;
  clock: Clock;
  log: Pick<Logger, "error">;
};
type StoredNotification = {
  provider: string;
  id: string;
  type: string;
  reference: string | null;
  customer_id: string | null;
};

/** A notification that failed is handled again when it is this old, and after each failed attempt at twice the age. */
const FIRST_REPLAY_S = 30;
/** Twice as often would be longer than notifications are kept. */
const MAX_DOUBLINGS = 16;
/** How long notifications are kept, handled or not. Amazon SNS repeats one for 23 days at most. */
const RETENTION_MS = 30 * DAY_MS;

/** Receives the notifications of marketplaces: stores each, handles it once, and repeats what failed. */
export function createNotifications(deps: Deps) {
  return bind(deps, { receive, replay });
}
export type NotificationUseCases = ReturnType<typeof createNotifications>;

/**
 * Stores a notification and handles it. Throws `marketplace.notification_refused`, and `marketplace.off` where nothing is
 * sold at the marketplace.
 */
async function receive(deps: Deps, provider: MarketplaceProvider, received: ReceivedNotification): Promise<void> {
  const { db, drivers, clock } = deps;
  const driver = drivers[provider];
  if (!driver) throw errors.marketplace.off();
  const now = clock.now();
  const notification = await driver.readNotification(received, now);
  if (!notification) return;
  const { id, type, reference, customerId } = notification;
  const row = { provider, id, type, reference, customer_id: customerId };
  const stored = await db
    .insertInto("marketplace_notifications")
    .values({ ...row, received_at: now })
    .onConflict((conflict) => conflict.columns(["provider", "id"]).doNothing())
    .executeTakeFirst();
  if (stored.numInsertedOrUpdatedRows === 1n) await attempt(deps, row);
}

/** Handles a notification. An error is logged: the sender has done its part, and it is handled again later. */
async function attempt({ db, purchases, checks, clock, log }: Deps, stored: StoredNotification): Promise<void> {
  const { provider, id, type } = stored;
  const row = () => db.updateTable("marketplace_notifications").where("provider", "=", provider).where("id", "=", id);
  try {
    for (const purchase of await purchases.listAffected(stored)) {
      await checks.settle(purchase);
      // Some notifications come shortly before the state that they are about.
      await purchases.askAgain(purchase.id);
    }
    await row().set({ handled_at: clock.now() }).execute();
  } catch (error) {
    log.error({ err: error, notification_id: id, provider, type }, "a notification of a marketplace failed");
    await row()
      .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
      .execute();
  }
}

/** Handles again what failed and is due, and deletes what is old. */
async function replay(deps: Deps): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const failed = await db
    .selectFrom("marketplace_notifications")
    .select(["provider", "id", "type", "reference", "customer_id"])
    .where("handled_at", "is", null)
    .where(
      sql<boolean>`received_at <= ${now}::timestamptz
        - make_interval(secs => ${FIRST_REPLAY_S} * power(2, least(attempts - 1, ${MAX_DOUBLINGS})))`,
    )
    .orderBy("received_at")
    .limit(100)
    .execute();
  for (const notification of failed) await attempt(deps, notification);
  await db
    .deleteFrom("marketplace_notifications")
    .where("received_at", "<=", new Date(now.getTime() - RETENTION_MS))
    .execute();
}
