import type { Logger } from "pino";
import type { Audit } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import type { Ids } from "../core/ids.ts";
import type { Outgoing } from "../core/network/outgoing.ts";
import type { Sealer } from "../core/secrets/sealing.ts";
import type { Mail } from "../mail/index.ts";
import { createCleanupJob } from "./cleanup.jobs.ts";
import { createDelivery } from "./delivery.jobs.ts";
import { createEndedPermissionsJob } from "./ended-permissions.jobs.ts";
import { createWebhooksRepository } from "./webhooks.repository.ts";
import { webhookRoutes } from "./webhooks.routes.ts";
import { createWebhooks } from "./webhooks.usecases.ts";

export { createEventOutbox, redactMaker } from "./event-outbox.ts";
export { listWebhookAttention } from "./webhook-attention.ts";

type Ports = {
  db: Database;
  outgoing: Outgoing;
  mail: Mail;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  log: Logger;
  /** Encrypts the secrets that sign events. */
  sealer: Sealer;
  productName: string;
};

const DELIVERY_INTERVAL_SECONDS = 1;

/** Creates webhooks: endpoints that receive events of an organization, and the delivery of events. */
export function createWebhooksModule(ports: Ports) {
  const { db, clock, log } = ports;
  const webhooksRepository = createWebhooksRepository(db);
  const shared = { ...ports, webhooksRepository };
  const delivery = createDelivery({ ...shared, random: Math.random });
  const enqueue = () =>
    void delivery.start().catch((error: unknown) => log.error({ err: error }, "webhooks that are due were not read"));
  return {
    routes: webhookRoutes({ webhooks: createWebhooks({ ...shared, enqueue }), webhooksRepository, clock }),
    jobs: [
      { name: "send webhooks", everySeconds: DELIVERY_INTERVAL_SECONDS, run: delivery.start },
      createCleanupJob(db, clock),
      createEndedPermissionsJob(ports),
    ],
    api: { settled: delivery.settled, stop: delivery.stop },
  };
}
