import type { RecordedRequest } from "../../http-server.ts";
import type { Subscription } from "./subscriptions.ts";

/** A usage event that was taken. */
export type UsageEvent = {
  resourceId: string;
  planId: string;
  dimension: string;
  quantity: number;
  effectiveStartTime: string;
};
/** What the stand-in knows about metering. */
export type MeteringStore = {
  events: UsageEvent[];
  dimensions: Set<string>;
  subscriptions: Map<string, Subscription>;
  /** How many of the next events fail to be processed. */
  unprocessed: number;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_EVENTS = 25;

/** Carries out a batch of usage events at a time in milliseconds since 1970. */
export function meterBatch(
  request: RecordedRequest,
  store: MeteringStore,
  now: number,
): { status: number; body: object } {
  const { request: events } = JSON.parse(request.body) as { request: UsageEvent[] };
  const isWrong = events.length > MAX_EVENTS || events.some(({ resourceId, planId }) => !resourceId || !planId);
  if (request.method !== "POST" || isWrong)
    return { status: 400, body: { code: "BadArgument", message: "The resourceId is required." } };
  const result = events.map((event) => ({
    ...event,
    messageTime: new Date(now).toISOString(),
    ...take(event, store, now),
  }));
  return { status: 200, body: { count: result.length, result } };
}

function take(event: UsageEvent, store: MeteringStore, now: number): object {
  const subscription = store.subscriptions.get(event.resourceId);
  const age = now - Date.parse(event.effectiveStartTime);
  if (!subscription) return { status: "ResourceNotFound" };
  if (store.unprocessed > 0) {
    store.unprocessed--;
    return { status: "Error" };
  }
  if (subscription.saasSubscriptionStatus !== "Subscribed") return { status: "ResourceNotActive" };
  if (!store.dimensions.has(event.dimension)) return { status: "InvalidDimension" };
  if (subscription.planId !== event.planId || age < 0) return { status: "BadArgument" };
  if (age >= DAY_MS) return { status: "Expired" };
  const earlier = store.events.find((one) => keyOf(one) === keyOf(event));
  if (earlier)
    return {
      status: "Duplicate",
      error: {
        code: "Conflict",
        message: "This usage event already exist.",
        additionalInfo: { acceptedMessage: { ...earlier, status: "Duplicate" } },
      },
    };
  store.events.push(event);
  return { status: "Accepted", usageEventId: `event-${store.events.length}` };
}

const keyOf = ({ resourceId, dimension, effectiveStartTime }: UsageEvent) =>
  [resourceId, dimension, Math.floor(Date.parse(effectiveStartTime) / HOUR_MS)].join(" ");
