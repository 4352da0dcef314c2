import type { ServerResponse } from "node:http";
import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { type HttpServer, type RecordedRequest, startHttpServer } from "@feather/testing/http-server";
import { waitFor } from "@feather/testing/wait-for";
import pino from "pino";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { listMessages } from "../../testing/outbox.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { createOutgoing, type Outgoing } from "../core/network/outgoing.ts";
import { createSealer, SEALING_PURPOSES } from "../core/secrets/sealing.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { createDelivery } from "./delivery.jobs.ts";
import { createWebhooksRepository } from "./webhooks.repository.ts";

type Delivery = {
  id: string;
  event_id: string;
  status: string;
  attempts: number;
  response_status: number | null;
  error: string | null;
  next_attempt_at: string | null;
};
type Endpoint = { id: string; secret: string; disabled_reason: string | null; first_failed_at: string | null };

const LEASE_MS = 60 * SECOND_MS;
const clock = createTestClock("2026-11-20T12:00:00Z");
const secret = new Uint8Array(32).fill(7);
const outgoing = createOutgoing({ allow: ["127.0.0.1"] });
const lines: string[] = [];
const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
let server: TestServer;
let owner: Account;
let receiver: HttpServer;
let respond: (request: RecordedRequest, response: ServerResponse, count: number) => unknown;

beforeAll(async () => {
  server = await createTestServer({ clock, log, secret, env: { FEATHER_OUTGOING_ALLOW: "127.0.0.1" } });
});
beforeEach(async () => {
  owner = await server.signUpOnPlan({});
  respond = (_request, response) => response.writeHead(204).end();
  receiver = await startHttpServer((request, response, count) => respond(request, response, count));
});
afterEach(() => receiver.close());
afterAll(async () => {
  await server.close();
  await outgoing.close();
});

const statusOf = (status: number, headers: Record<string, string> = {}) =>
  (respond = (_request, response) => response.writeHead(status, headers).end());

async function createEndpoint(event_types: string[] = ["api_key.created"], url = receiver.url): Promise<Endpoint> {
  const answer = await server.call("/api/webhooks", { token: owner.token, body: { url: `${url}/hook`, event_types } });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as Endpoint;
}
const endpointOf = async (id: string) =>
  (await server.call(`/api/webhooks/${id}`, { token: owner.token })).body as Endpoint;

async function deliveriesOf({ id }: Pick<Endpoint, "id">): Promise<Delivery[]> {
  const { body } = await server.call(`/api/webhooks/${id}/deliveries`, { token: owner.token });
  return (body as { items: Delivery[] }).items;
}

/** Sends what is due now, and waits for the results. */
async function deliver(): Promise<void> {
  await server.runJob("send webhooks");
  await server.api.webhooks.settled();
}

/** Creates the delivery of another process, with its own outgoing calls. */
function otherDelivery(overrides: { outgoing?: Pick<Outgoing, "fetch">; timeoutMs?: number } = {}) {
  return createDelivery({
    db: server.db,
    webhooksRepository: createWebhooksRepository(server.db),
    sealer: createSealer(secret, SEALING_PURPOSES.webhookSecrets),
    outgoing,
    mail: server.api.mail,
    clock,
    log,
    productName: "Feather",
    random: () => 0,
    ...overrides,
  });
}

/** Verifies a request as receivers do, with the package of Standard Webhooks, at the time of the test's clock. */
function verify({ body, headers }: RecordedRequest, ...secrets: string[]): unknown[] {
  vi.useFakeTimers({ toFake: ["Date"], now: clock.at });
  try {
    return secrets.map((one) => new Webhook(one).verify(body, headers as Record<string, string>));
  } finally {
    vi.useRealTimers();
  }
}

test("an event is sent once, with a signature that Standard Webhooks verifies", async () => {
  const endpoint = await createEndpoint();
  const key = await server.createKey(owner);
  await deliver();
  await deliver();
  expect(receiver.requests).toHaveLength(1);
  const [request] = receiver.requests as [RecordedRequest];
  expect(request).toMatchObject({ method: "POST", url: "/hook", headers: { "content-type": "application/json" } });
  const [event] = verify(request, endpoint.secret);
  expect(event).toMatchObject({
    id: request.headers["webhook-id"],
    type: "api_key.created",
    timestamp: new Date(clock.at).toISOString(),
    data: { id: key.id, name: "test", created_by: owner.userId },
  });
  expect(request.body).not.toContain(key.secret);
  expect(await deliveriesOf(endpoint)).toMatchObject([
    { status: "delivered", attempts: 1, response_status: 204, error: null, next_attempt_at: null },
  ]);
});

test("a signature that another secret made is not accepted", async () => {
  await createEndpoint();
  const other = await createEndpoint(["member.added"]);
  await server.createKey(owner);
  await deliver();
  expect(() => verify(receiver.requests[0] as RecordedRequest, other.secret)).toThrow("No matching signature");
});

test("an event is sent only to the organization's endpoints that have its type", async () => {
  await createEndpoint(["member.added", "plan.changed"]);
  const wanting = [await createEndpoint(), await createEndpoint(["api_key.created", "member.added"])];
  const other = await server.signUpOnPlan({});
  await server.createKey(other);
  await server.createKey(owner);
  await deliver();
  expect(receiver.requests).toHaveLength(2);
  expect(await Promise.all(wanting.map(async (endpoint) => (await deliveriesOf(endpoint)).length))).toEqual([1, 1]);
});

test("signs with both secrets for 24 hours after a rotation", async () => {
  const { id, secret: first } = await createEndpoint();
  const { secret: second } = (await server.call(`/api/webhooks/${id}/rotate`, { method: "POST", token: owner.token }))
    .body as Endpoint;
  await server.createKey(owner);
  await deliver();
  const [during] = receiver.requests as [RecordedRequest];
  expect(verify(during, first, second)).toHaveLength(2);
  expect(String(during.headers["webhook-signature"]).split(" ")).toHaveLength(2);
  clock.at += DAY_MS;
  await server.createKey(owner);
  await deliver();
  const after = receiver.requests[1] as RecordedRequest;
  expect(verify(after, second)).toHaveLength(1);
  expect(() => verify(after, first)).toThrow("No matching signature");
});

describe("an attempt that fails", () => {
  test("an attempt that fails is repeated after the delays of Standard Webhooks, with the same id, and then given up", async () => {
    statusOf(500);
    const endpoint = await createEndpoint();
    const delivery = otherDelivery();
    await server.createKey(owner);
    const delays: number[] = [];
    for (;;) {
      await delivery.start();
      await delivery.settled();
      const [{ next_attempt_at, status }] = (await deliveriesOf(endpoint)) as [Delivery];
      if (status !== "pending" || next_attempt_at === null) break;
      const dueMs = Date.parse(next_attempt_at);
      delays.push(dueMs - clock.at);
      clock.at = dueMs - 1;
      const count = receiver.requests.length;
      await delivery.start();
      await delivery.settled();
      expect(receiver.requests).toHaveLength(count); // not before it is due
      clock.at = dueMs;
    }
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * HOUR_MS);
    expect(delays).toEqual([5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, ...hours]);
    expect(receiver.requests).toHaveLength(10);
    expect(new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(receiver.requests.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(10);
    verify(receiver.requests[9] as RecordedRequest, endpoint.secret);
    expect(await deliveriesOf(endpoint)).toMatchObject([
      { status: "failed", attempts: 10, response_status: 500, error: "The endpoint responded with 500." },
    ]);
  });

  test("an attempt that fails is repeated later when the endpoint asks for it", async () => {
    statusOf(503, { "retry-after": "120" });
    const endpoint = await createEndpoint();
    await server.createKey(owner);
    await deliver();
    const [{ next_attempt_at }] = (await deliveriesOf(endpoint)) as [Delivery];
    expect(Date.parse(next_attempt_at ?? "") - clock.at).toBe(120 * SECOND_MS);
  });

  test("an attempt that fails is forgotten once the next one succeeds", async () => {
    statusOf(500);
    const endpoint = await createEndpoint();
    await server.createKey(owner);
    await deliver();
    expect((await endpointOf(endpoint.id)).first_failed_at).toBe(new Date(clock.at).toISOString());
    statusOf(200);
    clock.at += 10 * SECOND_MS;
    await deliver();
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: "delivered", attempts: 2, error: null }]);
    expect((await endpointOf(endpoint.id)).first_failed_at).toBe(null);
  });

  test("a failed attempt may be a redirect, which is not followed", async () => {
    const target = await startHttpServer((_request, response) => response.writeHead(200).end());
    statusOf(307, { location: target.url });
    const endpoint = await createEndpoint();
    await server.createKey(owner);
    await deliver();
    expect(target.requests).toEqual([]);
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: "pending", response_status: 307 }]);
    await target.close();
  });

  test("a failed attempt may be an endpoint that does not respond in time", async () => {
    respond = () => {};
    const endpoint = await createEndpoint();
    await server.createKey(owner);
    const delivery = otherDelivery({ timeoutMs: 50 });
    await delivery.start();
    await delivery.settled();
    expect(await deliveriesOf(endpoint)).toMatchObject([
      { status: "pending", response_status: null, error: "The endpoint did not respond within 0.05 seconds." },
    ]);
  });

  test("a failed attempt may be a connection that breaks", async () => {
    respond = (_request, response) => response.destroy();
    const endpoint = await createEndpoint();
    await server.createKey(owner);
    await deliver();
    expect((await deliveriesOf(endpoint))[0]?.error).toMatch(/^The connection failed \([A-Z_]+\)\.$/);
  });

  test("a failed attempt may be a name that leads to a private address by then", async () => {
    const { port } = new URL(receiver.url);
    const endpoint = await createEndpoint();
    await server.db
      .updateTable("webhook_endpoints")
      .set({ url: `http://rebound.example:${port}/` })
      .where("id", "=", endpoint.id)
      .execute();
    await server.createKey(owner);
    const guarded = createOutgoing({ resolve: async () => [{ address: "127.0.0.1", family: 4 }] });
    const delivery = otherDelivery({ outgoing: guarded });
    await delivery.start();
    await delivery.settled();
    await guarded.close();
    expect(receiver.requests).toEqual([]);
    expect(await deliveriesOf(endpoint)).toMatchObject([
      { status: "pending", error: "The address is not public, and the operator does not allow it." },
    ]);
  });
});

test("an endless response is not read", async () => {
  let written = 0;
  respond = (_request, response) => {
    response.writeHead(200);
    const write = () => {
      written += 1;
      if (!response.destroyed) response.write("x".repeat(65_536), () => setImmediate(write));
    };
    write();
  };
  const endpoint = await createEndpoint();
  await server.createKey(owner);
  await deliver();
  expect(await deliveriesOf(endpoint)).toMatchObject([{ status: "delivered" }]);
  await waitFor(async () => expect(receiver.openConnections).toBe(0));
  expect(written).toBeLessThan(1_000);
});

test("lets others through while an endpoint is slow", async () => {
  const waiting: ServerResponse[] = [];
  respond = (_request, response) => waiting.push(response);
  const fast = await startHttpServer((_request, response) => response.writeHead(204).end());
  await createEndpoint();
  for (let count = 0; count < 6; count++) await server.createKey(owner);
  owner = await server.signUpOnPlan({});
  const other = await createEndpoint(["api_key.created"], fast.url);
  await server.createKey(owner);
  await server.runJob("send webhooks");
  await waitFor(async () => expect(await deliveriesOf(other)).toMatchObject([{ status: "delivered" }]));
  await waitFor(async () => expect(waiting).toHaveLength(4)); // of 6: an endpoint gets four requests at a time
  expect(receiver.requests).toHaveLength(4);
  respond = (_request, response) => response.writeHead(204).end();
  for (const response of waiting) response.writeHead(204).end();
  await server.api.webhooks.settled();
  expect(receiver.requests).toHaveLength(6);
  await fast.close();
});

test("an event is sent again, with the same id, when the process dies before it stores the result", async () => {
  const endpoint = await createEndpoint();
  await server.createKey(owner);
  const dying = otherDelivery({
    outgoing: {
      async fetch(...input) {
        await outgoing.fetch(...input);
        return new Promise(() => {}); // the process is gone
      },
    },
  });
  await dying.start();
  await waitFor(async () => expect(receiver.requests).toHaveLength(1));
  await deliver();
  expect(receiver.requests).toHaveLength(1); // the attempt may still be in progress
  clock.at += LEASE_MS;
  await deliver();
  const ids = receiver.requests.map(({ headers }) => headers["webhook-id"]);
  expect(ids).toEqual([ids[0], ids[0]]);
  expect(await deliveriesOf(endpoint)).toMatchObject([{ status: "delivered", attempts: 2 }]);
});

test("each attempt is made once when several processes deliver", async () => {
  await createEndpoint();
  for (let count = 0; count < 8; count++) await server.createKey(owner);
  const deliveries = [otherDelivery(), otherDelivery(), otherDelivery()];
  await Promise.all(deliveries.map((delivery) => delivery.start()));
  await Promise.all(deliveries.map((delivery) => delivery.settled()));
  expect(receiver.requests).toHaveLength(8);
});

test("nothing is sent of a change that was rolled back", async () => {
  await createEndpoint();
  const rollBack = server.db.transaction().execute(async (trx) => {
    await server.platform.events.record(owner.organizationId, { type: "api_key.created", data: {} as never }, trx);
    throw new Error("rolled back");
  });
  await expect(rollBack).rejects.toThrow("rolled back");
  await deliver();
  expect(receiver.requests).toEqual([]);
});

describe("an endpoint is disabled, and its admins are told by mail,", () => {
  test("an endpoint is disabled, and its admins get a mail, when it responds with 410", async () => {
    statusOf(410);
    const endpoint = await createEndpoint();
    await server.createKey(owner);
    await server.createKey(owner);
    await deliver();
    expect((await endpointOf(endpoint.id)).disabled_reason).toBe("gone");
    expect((await deliveriesOf(endpoint)).map(({ status }) => status)).toEqual(["failed", "failed"]);
    const mails = await listMessages(server, owner.email, "webhook_disabled");
    expect(mails).toHaveLength(1);
    expect(mails[0]?.body).toContain("127.0.0.1");
    expect(mails[0]?.body).not.toContain("/hook");
    const count = receiver.requests.length;
    await server.createKey(owner);
    clock.at += DAY_MS;
    await deliver();
    expect(receiver.requests).toHaveLength(count);
  });

  test("an endpoint is disabled, and its admins get a mail, when it has failed for 5 days, and not before", async () => {
    statusOf(500);
    const endpoint = await createEndpoint();
    await server.createKey(owner);
    await deliver();
    clock.at += 5 * DAY_MS - SECOND_MS;
    await deliver();
    expect((await endpointOf(endpoint.id)).disabled_reason).toBe(null);
    clock.at += DAY_MS;
    await deliver();
    expect((await endpointOf(endpoint.id)).disabled_reason).toBe("failing");
    expect(await listMessages(server, owner.email, "webhook_disabled")).toHaveLength(1);
    const enabled = await server.call(`/api/webhooks/${endpoint.id}`, {
      method: "PUT",
      token: owner.token,
      body: { disabled: false },
    });
    expect(enabled.body).toMatchObject({ disabled: false, first_failed_at: null });
  });
});

describe("a replay", () => {
  const replay = (endpoint: Endpoint, id: string) =>
    server.call(`/api/webhooks/${endpoint.id}/deliveries/${id}/replay`, { method: "POST", token: owner.token });

  test("a replay sends the same event again, as a new delivery", async () => {
    const endpoint = await createEndpoint();
    await server.createKey(owner);
    await deliver();
    const [first] = (await deliveriesOf(endpoint)) as [Delivery];
    clock.at += HOUR_MS;
    const { status, body } = await replay(endpoint, first.id);
    expect(status).toBe(202);
    expect(body).toMatchObject({ status: "pending", event_id: first.event_id, event_type: "api_key.created" });
    await server.api.webhooks.settled();
    const [one, two] = receiver.requests as [RecordedRequest, RecordedRequest];
    expect(two.headers["webhook-id"]).toBe(one.headers["webhook-id"]);
    expect(two.body).toBe(one.body);
    verify(two, endpoint.secret);
    expect(await deliveriesOf(endpoint)).toHaveLength(2);
  });

  test("a replay is refused while the delivery is pending, for a delivery of another endpoint, and for none", async () => {
    statusOf(500);
    const endpoint = await createEndpoint();
    await server.createKey(owner);
    await deliver();
    const [first] = (await deliveriesOf(endpoint)) as [Delivery];
    expect(errorCode((await replay(endpoint, first.id)).body)).toBe("webhooks.delivery_pending");
    const other = await createEndpoint();
    expect(errorCode((await replay(other, first.id)).body)).toBe("webhooks.delivery_not_found");
    expect(errorCode((await replay(endpoint, "whd_1")).body)).toBe("webhooks.delivery_not_found");
  });
});

test("a test event is sent whatever types the endpoint has", async () => {
  const endpoint = await createEndpoint(["plan.changed"]);
  const { status } = await server.call(`/api/webhooks/${endpoint.id}/test`, { method: "POST", token: owner.token });
  expect(status).toBe(202);
  await waitFor(async () => expect(receiver.requests).toHaveLength(1));
  expect(verify(receiver.requests[0] as RecordedRequest, endpoint.secret)).toMatchObject([{ type: "webhook.test" }]);
});

test("deletes deliveries after 30 days, and their events", async () => {
  await createEndpoint();
  await server.createKey(owner);
  await deliver();
  const { organizationId } = owner;
  const countRows = async (table: "webhook_events" | "webhook_deliveries") =>
    (await server.db.selectFrom(table).select("id").where("organization_id", "=", organizationId).execute()).length;
  clock.at += 30 * DAY_MS;
  await server.runJob("delete old webhook deliveries");
  expect([await countRows("webhook_deliveries"), await countRows("webhook_events")]).toEqual([1, 1]);
  clock.at += SECOND_MS;
  await server.runJob("delete old webhook deliveries");
  expect([await countRows("webhook_deliveries"), await countRows("webhook_events")]).toEqual([0, 0]);
});

test("writes no secret and no address of an endpoint to the log", async () => {
  statusOf(410);
  const endpoint = await createEndpoint();
  await server.createKey(owner);
  await deliver();
  const text = lines.join("");
  expect(text).toContain(endpoint.id);
  expect(text).not.toContain("whsec_");
  expect(text).not.toContain(receiver.url);
});
