import type { components } from "@feather/openapi/schema";
import type { Audit } from "../core/audit.ts";
import type { SignedInActor } from "../core/auth/actor.ts";
import { lockDelegationColumns } from "../core/auth/delegation.ts";
import { refuseLimitedKey } from "../core/auth/refuse-limited-key.ts";
import { bind } from "../core/bind.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import { errors } from "../core/errors/index.ts";
import type { Ids } from "../core/ids.ts";
import { isLoopbackHost } from "../core/network/networks.ts";
import type { Outgoing } from "../core/network/outgoing.ts";
import type { Sealer } from "../core/secrets/sealing.ts";
import type { RandomBytes } from "../core/secrets/secrets.ts";
import { DAY_MS } from "../core/time.ts";
import { storeEvent, toDeliveryRow } from "./event-outbox.ts";
import { createWebhookSecret } from "./signature.ts";
import type { DeliveryRow, EndpointRow, WebhooksRepository } from "./webhooks.repository.ts";

type EndpointCreate = components["schemas"]["WebhookEndpointCreate"];
type EndpointUpdate = components["schemas"]["WebhookEndpointUpdate"];
type EndpointWithSecret = { row: EndpointRow; secret: string };

type Deps = {
  db: Database;
  webhooksRepository: WebhooksRepository;
  sealer: Sealer;
  outgoing: Pick<Outgoing, "checkReachable">;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  productName: string;
  /** Sends the deliveries that are due, in the background. */
  enqueue(): void;
  random?: RandomBytes;
};

const MAX_ENDPOINTS = 20;
/** How long events are also signed with the previous secret after a rotation. */
const PREVIOUS_SECRET_LIFETIME_MS = DAY_MS;

/** Creates, changes and deletes endpoints, and sends them tests and replays. */
export function createWebhooks(deps: Deps) {
  return bind(deps, {
    create: createEndpoint,
    update: updateEndpoint,
    rotate: rotateSecret,
    delete: deleteEndpoint,
    test: sendTest,
    replay: replayDelivery,
  });
}

/** Use cases of webhooks. */
export type WebhookUseCases = ReturnType<typeof createWebhooks>;

async function createEndpoint(
  deps: Deps,
  actor: SignedInActor,
  { url, event_types, description = "" }: EndpointCreate,
): Promise<EndpointWithSecret> {
  const { db, webhooksRepository, sealer, audit, clock, ids, random } = deps;
  refuseLimitedKey(actor);
  await checkUrl(deps, url);
  const secret = createWebhookSecret(random);
  const row = await db.transaction().execute(async (trx) => {
    const { made_under_grant } = await lockDelegationColumns(actor, trx);
    const endpoint = {
      made_under_grant,
      id: ids.next("whk"),
      organization_id: actor.organizationId,
      url,
      description,
      event_types,
      secret: sealer.seal(secret),
      created_at: clock.now(),
    };
    const created = await webhooksRepository.create(endpoint, MAX_ENDPOINTS, trx);
    if (!created) throw errors.webhooks.limitReached({ max: MAX_ENDPOINTS }, { details: { limit: MAX_ENDPOINTS } });
    const details = { host: new URL(url).host, event_types };
    await audit.record({ actor, action: "webhooks.create", target: created.id, details }, trx);
    return created;
  });
  return { row, secret };
}

/** The column that ties an endpoint to the grant under which an application changes it; empty where a person does. */
type GrantColumn = { made_under_grant?: string };

/**
 * Changes an endpoint of the organization, which is locked, and records it in the audit log. The grant of an application
 * is locked first, as where a grant ends, so that the two cannot deadlock.
 */
async function withEndpoint<T>(
  { db, webhooksRepository, audit }: Deps,
  actor: SignedInActor,
  id: string,
  event: { action: string; details?: Record<string, unknown> },
  change: (row: EndpointRow, trx: Database, grant: GrantColumn) => Promise<T>,
): Promise<T> {
  refuseLimitedKey(actor);
  return db.transaction().execute(async (trx) => {
    const { made_under_grant } = await lockDelegationColumns(actor, trx);
    const row = await webhooksRepository.lock(actor.organizationId, id, trx);
    if (!row) throw errors.webhooks.notFound();
    const result = await change(row, trx, made_under_grant === null ? {} : { made_under_grant });
    await audit.record({ actor, target: id, ...event }, trx);
    return result;
  });
}

/** Updates the given fields. Enabling an endpoint begins a new count of failures. */
async function updateEndpoint(
  deps: Deps,
  actor: SignedInActor,
  id: string,
  { disabled, ...fields }: EndpointUpdate,
): Promise<EndpointRow> {
  const { webhooksRepository } = deps;
  if (fields.url !== undefined) await checkUrl(deps, fields.url);
  const details = { fields: Object.keys(fields), ...(disabled !== undefined && { disabled }) };
  return withEndpoint(deps, actor, id, { action: "webhooks.update", details }, async (row, trx, grant) => {
    const isChanged = disabled !== undefined && disabled !== (row.disabled_reason !== null);
    const change = {
      ...fields,
      ...grant,
      ...(isChanged && {
        disabled_reason: disabled ? "manual" : null,
        first_failed_at: null,
        disabled_notice_due: false,
      }),
    };
    if (isChanged && disabled) await webhooksRepository.failPending(id, "The endpoint was disabled.", trx);
    return Object.keys(change).length === 0 ? row : webhooksRepository.update(id, change, trx);
  });
}

async function rotateSecret(deps: Deps, actor: SignedInActor, id: string): Promise<EndpointWithSecret> {
  const { webhooksRepository, sealer, clock, random } = deps;
  const secret = createWebhookSecret(random);
  const row = await withEndpoint(deps, actor, id, { action: "webhooks.rotate" }, (endpoint, trx, grant) =>
    webhooksRepository.update(
      id,
      {
        ...grant,
        secret: sealer.seal(secret),
        previous_secret: endpoint.secret,
        previous_secret_expires_at: new Date(clock.now().getTime() + PREVIOUS_SECRET_LIFETIME_MS),
      },
      trx,
    ),
  );
  return { row, secret };
}

async function deleteEndpoint(deps: Deps, actor: SignedInActor, id: string): Promise<void> {
  const { webhooksRepository } = deps;
  await withEndpoint(deps, actor, id, { action: "webhooks.delete" }, async (_row, trx) => {
    await webhooksRepository.delete(id, trx);
  });
}

async function sendTest(deps: Deps, actor: SignedInActor, id: string): Promise<DeliveryRow> {
  const { productName } = deps;
  const delivery = await withEndpoint(deps, actor, id, { action: "webhooks.test" }, async (endpoint, trx) => {
    if (endpoint.disabled_reason !== null) throw errors.webhooks.disabled();
    const data = { message: `This is a test from ${productName}.` };
    const event = await storeEvent(deps, actor.organizationId, { type: "webhook.test", data }, trx);
    return insertDelivery(deps, endpoint, event, trx);
  });
  deps.enqueue();
  return delivery;
}

/** Sends the event of a finished delivery again, as a new delivery. */
async function replayDelivery(deps: Deps, actor: SignedInActor, id: string, deliveryId: string): Promise<DeliveryRow> {
  const { webhooksRepository, clock } = deps;
  const event = { action: "webhooks.replay", details: { delivery_id: deliveryId } };
  const delivery = await withEndpoint(deps, actor, id, event, async (endpoint, trx) => {
    const replayed = await webhooksRepository.findDelivery(id, deliveryId, trx);
    if (!replayed) throw errors.webhooks.deliveryNotFound();
    if (endpoint.disabled_reason !== null) throw errors.webhooks.disabled();
    if (replayed.status === "pending") throw errors.webhooks.deliveryPending();
    return insertDelivery(deps, endpoint, { id: replayed.event_id, at: clock.now() }, trx);
  });
  deps.enqueue();
  return delivery;
}

async function insertDelivery(
  deps: Deps,
  endpoint: EndpointRow,
  event: { id: string; at: Date },
  trx: Database,
): Promise<DeliveryRow> {
  const { webhooksRepository } = deps;
  const row = toDeliveryRow(deps, endpoint.organization_id, endpoint.id, event);
  await webhooksRepository.insertDelivery(row, trx);
  const delivery = await webhooksRepository.findDelivery(endpoint.id, row.id, trx);
  if (!delivery) throw errors.webhooks.deliveryNotFound();
  return delivery;
}

/** Throws for addresses to which no webhooks are sent: private ones, and http:// to other machines. */
async function checkUrl({ outgoing }: Deps, url: string): Promise<void> {
  const { protocol, hostname } = await outgoing.checkReachable(url);
  if (protocol !== "https:" && !isLoopbackHost(hostname))
    throw errors.invalidRequest("url is not valid: it must start with https://.", { param: "url" });
}
