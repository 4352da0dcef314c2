import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createChatRequest, MODEL } from "../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const USD = 1_000_000_000n;
const usd = (amount: number) => String(BigInt(amount * 10) * (USD / 10n));
// A Wednesday.
const BEGIN = "2026-11-18T12:00:00Z";
const WEEK_MS = 7 * 24 * 3_600_000;
const clock = createTestClock(BEGIN);
let server: TestServer;
let owner: Account;
let counter = 0;

beforeAll(async () => {
  server = await createTestServer({ clock });
  const price = { scope: "model", target: MODEL, prompt: "0", completion: "0", image: "0", request: "1" } as const;
  const added = { ...price, id: "price_keys", effective_at: clock.now(), created_at: clock.now() };
  await server.api.prices.pricesRepository.add(added, server.db);
  server.api.prices.priceBook.invalidate();
});
beforeEach(async () => {
  clock.at = Date.parse(BEGIN);
  owner = await server.signUpOnPlan({ billing_mode: "request_pricing" });
  const event = { kind: "top_up", description: "Top-up", reference: `keys:${++counter}` } as const;
  await server.api.credits.credits.grant(owner.organizationId, 100n * USD, event);
  await server.addUpstream();
  const body = { url: "https://hooks.example.com/", event_types: ["api_key.limit_warning", "api_key.limit_reached"] };
  expect((await server.call("/api/webhooks", { token: owner.token, body })).status).toBe(201);
});
afterEach(async () => {
  await server.api.gateway.usageWriter.flush();
  await server.removeUpstreams();
});
afterAll(() => server.close());

type Key = { id: string; secret: string; prefix: string; last4: string };

async function createKey(limits: { spend_limit_nano_usd?: string; limit_reset?: string }): Promise<Key> {
  const { body, status } = await server.call("/api/api-keys", { token: owner.token, body: { name: "ci", ...limits } });
  expect(status).toBe(201);
  return body as Key;
}
const chat = ({ secret }: Key) =>
  server.call("/v1/chat/completions", { token: secret, body: createChatRequest({ max_tokens: 5 }) });
/** Makes calls of 1 USD, one after the other, until each is charged. */
async function spend(key: Key, calls: number): Promise<void> {
  for (let made = 0; made < calls; made++) expect((await chat(key)).status).toBe(200);
  await server.api.gateway.usageWriter.flush();
}
async function expectRefused(key: Key): Promise<void> {
  const { status, body } = await chat(key);
  expect([status, errorCode(body)]).toEqual([402, "budget_exceeded"]);
}
async function readEvents() {
  const rows = await server.db
    .selectFrom("webhook_events")
    .select("body")
    .where("organization_id", "=", owner.organizationId)
    .orderBy("created_at")
    .orderBy("type", "desc")
    .execute();
  return rows.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });
}
const readTypes = async () => (await readEvents()).map(({ type }) => type);

test("a key has one event at 80 % of its limit and one at the limit in each period", async () => {
  const key = await createKey({ spend_limit_nano_usd: usd(5), limit_reset: "week" });
  await spend(key, 3);
  expect(await readTypes()).toEqual([]);
  await spend(key, 1);
  const { id, prefix, last4 } = key;
  expect(await readEvents()).toMatchObject([
    {
      type: "api_key.limit_warning",
      data: {
        id,
        name: "ci",
        prefix,
        last4,
        spend_limit_nano_usd: usd(5),
        limit_reset: "week",
        spent_nano_usd: usd(4),
        resets_at: "2026-11-23T00:00:00.000Z",
      },
    },
  ]);
  expect(Object.keys((await readEvents())[0]?.data ?? {})).toHaveLength(9);
  clock.at += 1_000;
  await spend(key, 1);
  await expectRefused(key);
  expect(await readTypes()).toEqual(["api_key.limit_warning", "api_key.limit_reached"]);

  clock.at += WEEK_MS;
  await spend(key, 4);
  expect(await readTypes()).toEqual(["api_key.limit_warning", "api_key.limit_reached", "api_key.limit_warning"]);
});

test("a limit that refuses a call counts as reached when its end was near, once", async () => {
  const key = await createKey({ spend_limit_nano_usd: usd(4.5) });
  await spend(key, 4);
  expect(await readTypes()).toEqual(["api_key.limit_warning"]);
  clock.at += 1_000;
  await expectRefused(key);
  await expectRefused(key);
  const [, reached, ...others] = await readEvents();
  expect(others).toEqual([]);
  expect(reached).toMatchObject({
    type: "api_key.limit_reached",
    data: { spent_nano_usd: usd(4), limit_reset: "none", resets_at: null, refused_call: true },
  });
});

test("a call that is too expensive for a limit that is far from reached records no event", async () => {
  const key = await createKey({ spend_limit_nano_usd: usd(0.5) });
  await expectRefused(key);
  expect(await readTypes()).toEqual([]);
});

test("events are recorded separately for each limit, and never for a key without a limit", async () => {
  const key = await createKey({ spend_limit_nano_usd: usd(1) });
  await spend(await createKey({}), 2);
  await spend(key, 1);
  expect(await readTypes()).toEqual(["api_key.limit_warning", "api_key.limit_reached"]);
  const body = { spend_limit_nano_usd: usd(2) };
  const path = `/api/api-keys/${key.id}`;
  expect((await server.call(path, { method: "PUT", token: owner.token, body })).status).toBe(200);
  clock.at += 1_000;
  await spend(key, 1);
  expect((await readTypes()).slice(2)).toEqual(["api_key.limit_warning", "api_key.limit_reached"]);
});
