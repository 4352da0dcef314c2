import { z } from "zod";
import type { Bus } from "./replicas.ts";

/** The channel on which the database announces the name of a table whose rows have changed (migration 0086). */
export const CHANGES_CHANNEL = "feather_changes";

/** Tables whose changes are announced, since processes cache their rows. */
export const ANNOUNCED_TABLES = [
  "api_keys",
  "applications",
  "backend_keys",
  "backends",
  "content_items",
  "coupons",
  "memberships",
  "model_classes",
  "model_unlocks",
  "models",
  "organizations",
  "plans",
  "prices",
  "provider_keys",
  "routing_aliases",
  "routing_rules",
  "subscriptions",
  "users",
] as const;

/** A table that announces changes. */
export type AnnouncedTable = (typeof ANNOUNCED_TABLES)[number];

/** A message of the topic `changed`: a table whose rows have changed. Newer servers may announce further tables. */
const changeSchema = z.object({ table: z.string() });

/** Changes within this time after another one are passed on together, in milliseconds. */
export const BURST_MS = 100;

/**
 * Calls `listener` when any process has changed one of the tables, and after messages may have been lost. The first change
 * is passed on at once. Changes in the following 100 ms are passed on together at the end of that time.
 */
export function subscribeToChanges(bus: Bus, tables: readonly AnnouncedTable[], listener: () => void): void {
  const names: ReadonlySet<string> = new Set(tables);
  const notify = atMostEvery(BURST_MS, listener);
  bus.subscribe("changed", (message) => {
    if (names.has(changeSchema.safeParse(message).data?.table ?? "")) notify();
  });
  bus.onReconnected(notify);
}

/**
 * Returns a function that calls `listener` immediately, and again at the end of the interval if there were further calls.
 */
function atMostEvery(intervalMs: number, listener: () => void): () => void {
  let isWaiting = false;
  let isWanted = false;
  return function notify() {
    isWanted = isWaiting;
    if (isWaiting) return;
    isWaiting = true;
    listener();
    setTimeout(() => {
      isWaiting = false;
      if (isWanted) notify();
    }, intervalMs).unref();
  };
}
