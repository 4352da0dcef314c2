import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { waitFor, waitForResolved } from "@feather/testing/wait-for";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createChatRequest, errorOf, MODEL } from "../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

type Budget = { scope: string; user_id: string | null; spent_nano_usd: string; reserved_nano_usd: string };

const USD = 1_000_000_000n;
// A Wednesday.
const BEGIN = "2026-11-18T12:00:00Z";
const clock = createTestClock(BEGIN);
let server: TestServer;
let owner: Account;
let counter = 0;

beforeAll(async () => {
  server = await createTestServer({ clock });
  const price = { scope: "model", target: MODEL, prompt: "0", completion: "0", image: "0", request: "1" } as const;
  const added = { ...price, id: "price_budgets", effective_at: clock.now(), created_at: clock.now() };
  await server.api.prices.pricesRepository.add(added, server.db);
  server.api.prices.priceBook.invalidate();
});
beforeEach(async () => {
  clock.at = Date.parse(BEGIN);
  owner = await paying(100n);
});
afterEach(async () => {
  await server.api.gateway.usageWriter.flush();
  await server.removeUpstreams();
  expect(await server.db.selectFrom("credit_reservations").selectAll().execute()).toEqual([]);
});
afterAll(() => server.close());

/** Creates an account on a metered plan, where each call costs 1 USD. */
async function paying(usd: bigint): Promise<Account> {
  const account = await server.signUpOnPlan({ billing_mode: "request_pricing" });
  const event = { kind: "top_up", description: "Top-up", reference: `budgets:${++counter}` } as const;
  await server.api.credits.credits.grant(account.organizationId, usd * USD, event);
  return account;
}

/** Adds a member to the owner's organization, with a key that acts for it. */
async function addMember(role: "admin" | "developer" | "viewer" = "developer") {
  const member = await server.signUp();
  await server.db
    .insertInto("memberships")
    .values({ organization_id: owner.organizationId, user_id: member.userId, role })
    .execute();
  const body = { organization_id: owner.organizationId };
  const switched = await server.call("/api/organization/switch", { token: member.token, body });
  if (switched.status !== 200) throw new Error(switched.text);
  return { ...member, organizationId: owner.organizationId };
}

const ORGANIZATION = "/api/organization/budget";
const ofMember = ({ userId }: Account) => `/api/organization/members/${userId}/budget`;
const usd = (amount: number) => String(BigInt(amount) * USD);
const set = (account: Account, path: string, body: object) =>
  server.call(path, { method: "PUT", token: account.token, body });
const remove = (account: Account, path: string) => server.call(path, { method: "DELETE", token: account.token });
const chat = ({ token }: { token: string }) =>
  server.call("/v1/chat/completions", { token, body: createChatRequest({ max_tokens: 5 }) });
async function list(account: Account): Promise<Budget[]> {
  const { body } = await server.call("/api/organization/budgets", { token: account.token });
  return (body as { items: Budget[] }).items;
}
/** Makes calls one after the other until each is charged. */
async function spend(account: { token: string }, calls: number): Promise<void> {
  for (let made = 0; made < calls; made++) expect((await chat(account)).status).toBe(200);
  await server.api.gateway.usageWriter.flush();
}
async function listen(account: Account): Promise<void> {
  const body = { url: "https://hooks.example.com/", event_types: ["budget.warning", "budget.reached"] };
  const { status, text } = await server.call("/api/webhooks", { token: account.token, body });
  if (status !== 201) throw new Error(text);
}
async function eventsOf({ organizationId }: Account) {
  const rows = await server.db
    .selectFrom("webhook_events")
    .select("body")
    .where("organization_id", "=", organizationId)
    .orderBy("created_at")
    .orderBy("type", "desc")
    .execute();
  return rows.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });
}
async function mailsTo({ email }: Account) {
  const rows = await server.db
    .selectFrom("outbox")
    .select(["kind", "body"])
    .where("recipient", "=", email)
    .where("kind", "in", ["budget_warning", "budget_reached"])
    .orderBy("created_at")
    .execute();
  return rows;
}
const typesOf = async (account: Account) => (await eventsOf(account)).map(({ type }) => type);

describe("a budget", () => {
  test("a budget is set by admins, read by members, and deleted", async () => {
    const member = await addMember();
    const terms = { amount_nano_usd: usd(50), period: "week", hard: true, warning_percent: 90 };
    const { status, body } = await set(owner, ORGANIZATION, terms);
    const shown = {
      scope: "organization",
      user_id: null,
      user_name: null,
      ...terms,
      spent_nano_usd: "0",
      reserved_nano_usd: "0",
      resets_at: "2026-11-23T00:00:00.000Z",
      created_at: new Date(clock.at).toISOString(),
      updated_at: new Date(clock.at).toISOString(),
    };
    expect([status, body]).toEqual([200, shown]);
    expect(await list(member)).toEqual([shown]);
    expect((await remove(owner, ORGANIZATION)).status).toBe(204);
    const again = await remove(owner, ORGANIZATION);
    expect([again.status, errorCode(again.body)]).toEqual([404, "budgets.not_found"]);
    expect(await list(member)).toEqual([]);
  });

  test("a budget is for a month, only alerts, and warns at 80 percent by default", async () => {
    expect((await set(owner, ORGANIZATION, { amount_nano_usd: "1" })).body).toMatchObject({
      period: "month",
      hard: false,
      warning_percent: 80,
      resets_at: "2026-12-01T00:00:00.000Z",
    });
  });

  test.each([
    {},
    { amount_nano_usd: "-1" },
    { amount_nano_usd: 5 },
    { amount_nano_usd: "1.5" },
    { amount_nano_usd: "9".repeat(31) },
    { amount_nano_usd: "1", period: "year" },
    { amount_nano_usd: "1", warning_percent: 0 },
    { amount_nano_usd: "1", warning_percent: 101 },
    { amount_nano_usd: "1", spent_nano_usd: "0" },
  ])("a budget is not set to %j", async (body) => {
    expect((await set(owner, ORGANIZATION, body)).status).toBe(400);
    expect(await list(owner)).toEqual([]);
  });

  test("a budget of a member is seen by that member and by admins only", async () => {
    const [member, other] = [await addMember(), await addMember()];
    await set(owner, ORGANIZATION, { amount_nano_usd: usd(50) });
    await set(owner, ofMember(member), { amount_nano_usd: usd(5) });
    const scopes = async (account: Account) => (await list(account)).map(({ scope, user_id }) => [scope, user_id]);
    const all = [
      ["organization", null],
      ["member", member.userId],
    ];
    expect(await scopes(owner)).toEqual(all);
    expect(await scopes(member)).toEqual(all);
    expect(await scopes(other)).toEqual([["organization", null]]);
  });

  test("a budget is neither set nor deleted by members who are not admins", async () => {
    const member = await addMember();
    await set(owner, ofMember(member), { amount_nano_usd: usd(5) });
    for (const path of [ORGANIZATION, ofMember(member)])
      expect([
        (await set(member, path, { amount_nano_usd: usd(500) })).status,
        (await remove(member, path)).status,
      ]).toEqual([403, 403]);
    expect(await list(owner)).toMatchObject([{ amount_nano_usd: usd(5) }]);
  });

  test("a budget is neither seen nor set by another organization", async () => {
    const member = await addMember();
    await set(owner, ORGANIZATION, { amount_nano_usd: usd(50) });
    await set(owner, ofMember(member), { amount_nano_usd: usd(5) });
    const stranger = await paying(1n);
    expect(await list(stranger)).toEqual([]);
    const answers = [
      await set(stranger, ofMember(member), { amount_nano_usd: "0", hard: true }),
      await remove(stranger, ofMember(member)),
      await remove(stranger, ORGANIZATION),
    ];
    expect(answers.map(({ status, body }) => [status, errorCode(body)])).toEqual([
      [404, "organization.member_not_found"],
      [404, "budgets.not_found"],
      [404, "budgets.not_found"],
    ]);
    expect(await list(owner)).toHaveLength(2);
  });

  test("setting a budget needs the scope members.write of a key", async () => {
    const weak = await server.createKey(owner, { scopes: ["user.read", "user.write", "api.access"] });
    const strong = await server.createKey(owner, { scopes: ["members.write"] });
    const put = (token: string) =>
      server.call(ORGANIZATION, { method: "PUT", token, body: { amount_nano_usd: usd(1) } });
    expect([(await put(weak.secret)).status, (await put(strong.secret)).status]).toEqual([403, 200]);
  });

  test("a budget of a member ends with the membership", async () => {
    const member = await addMember();
    await set(owner, ofMember(member), { amount_nano_usd: usd(5) });
    await server.call(`/api/organization/members/${member.userId}`, { method: "DELETE", token: owner.token });
    expect(await list(owner)).toEqual([]);
  });

  test("a budget is in the audit log when it is set and deleted", async () => {
    await set(owner, ORGANIZATION, { amount_nano_usd: usd(50) });
    await remove(owner, ORGANIZATION);
    const log = await server.call("/api/organization/audit?action=budgets", { token: owner.token });
    expect(log.body).toMatchObject({ items: [{ action: "budgets.delete" }, { action: "budgets.set" }] });
  });
});

describe("what is spent", () => {
  test("what is spent counts for the organization and for the member, also with keys of the member", async () => {
    await server.addUpstream();
    const member = await addMember();
    const { secret } = await server.createKey(member);
    await set(owner, ORGANIZATION, { amount_nano_usd: usd(50) });
    await set(owner, ofMember(member), { amount_nano_usd: usd(5) });
    await spend(owner, 1);
    await spend(member, 1);
    await spend({ token: secret }, 1);
    expect(await list(owner)).toMatchObject([{ spent_nano_usd: usd(3) }, { spent_nano_usd: usd(2) }]);
  });

  test("what is spent counts from before the budget was set in this period, unless it has none", async () => {
    await server.addUpstream();
    await spend(owner, 2);
    const spentOf = async (period: string) =>
      ((await set(owner, ORGANIZATION, { amount_nano_usd: usd(50), period })).body as Budget).spent_nano_usd;
    expect([await spentOf("month"), await spentOf("none"), await spentOf("day")]).toEqual([usd(2), "0", usd(2)]);
    await spend(owner, 1);
    expect(await spentOf("day")).toBe(usd(3));
  });

  test("what is spent counts a call that is being charged while the budget is set", async () => {
    const charging = await server.db.startTransaction().execute();
    await server.api.credits.settlement.write([usageRow()], withoutCommit(charging));
    const setting = set(owner, ORGANIZATION, { amount_nano_usd: usd(50) });
    await waitFor(async () => expect(await countWaiting("pg_advisory_xact_lock")).toBe(1));
    await charging.commit().execute();
    expect((await setting).body).toMatchObject({ spent_nano_usd: usd(1) });
  });

  test.each([
    ["day", "2026-11-19"],
    ["week", "2026-11-23"],
    ["month", "2026-12-01"],
  ])("spending of a budget for a %s starts again on %s", async (period, reset) => {
    await server.addUpstream();
    await set(owner, ORGANIZATION, { amount_nano_usd: usd(1), period, hard: true });
    await spend(owner, 1);
    const key = { token: (await server.createKey(owner)).secret };
    clock.at = Date.parse(reset) - 1;
    const refused = await chat(key);
    expect([refused.status, errorOf(refused.body)]).toMatchObject([
      402,
      { code: "budget_exceeded", details: { reset_at: `${reset}T00:00:00.000Z` } },
    ]);
    clock.at += 1;
    expect(await list(owner)).toMatchObject([{ spent_nano_usd: "0" }]);
    await spend(key, 1);
    expect(await list(owner)).toMatchObject([{ spent_nano_usd: usd(1) }]);
  });
});

describe("a hard budget", () => {
  test("a hard budget of an organization lets exactly one of 50 concurrent calls have what is left", async () => {
    const mayAnswer = Promise.withResolvers<void>();
    const upstream = await server.addUpstream({ thinkUntil: mayAnswer.promise });
    await set(owner, ORGANIZATION, { amount_nano_usd: usd(1), hard: true });
    const member = await addMember();
    const calls = Array.from({ length: 50 }, (_, index) => chat(index % 2 === 0 ? owner : member));
    await waitForResolved(calls, 49);
    expect(await list(owner)).toMatchObject([{ spent_nano_usd: "0", reserved_nano_usd: usd(1) }]);
    mayAnswer.resolve();
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 402)).toHaveLength(49);
    expect(upstream.recordedRequests).toHaveLength(1);
    await server.api.gateway.usageWriter.flush();
    expect(await list(owner)).toMatchObject([{ spent_nano_usd: usd(1), reserved_nano_usd: "0" }]);
  });

  test("a hard budget makes a call wait for one that another server is reserving at the same moment", async () => {
    await set(owner, ORGANIZATION, { amount_nano_usd: usd(1), hard: true });
    const { organizationId, userId } = owner;
    const request = (requestId: string) => ({ requestId, organizationId, userId, apiKeyId: null, amountNano: USD });
    const first = await server.db.startTransaction().execute();
    const expires = new Date(clock.at + 20_000);
    await sql`select * from reserve_credits('req_first', ${organizationId}, ${userId}, null, ${usd(1)}::numeric,
      ${clock.now()}, ${expires})`.execute(first);
    const second = server.api.credits.reservations.reserve(request("req_second")).then(
      () => "reserved",
      (error: { code: string }) => error.code,
    );
    await waitFor(async () => expect(await countWaiting("reserve_credits")).toBe(1));
    await first.commit().execute();
    expect(await second).toBe("budget_exceeded");
    await server.db.deleteFrom("credit_reservations").execute();
  });

  test("a hard budget never lets calls spend more while others are being charged", async () => {
    await server.addUpstream();
    await set(owner, ORGANIZATION, { amount_nano_usd: usd(20), hard: true });
    const answers = await Promise.all(Array.from({ length: 50 }, () => chat(owner)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    await server.api.gateway.usageWriter.flush();
    expect(await list(owner)).toMatchObject([{ spent_nano_usd: usd(20) }]);
  });

  test("a hard budget says which budget refuses a call, its amount and when it resets", async () => {
    const upstream = await server.addUpstream();
    const member = await addMember();
    await set(owner, ofMember(member), { amount_nano_usd: "500000000", period: "day", hard: true });
    const refused = await chat(member);
    expect(refused.status).toBe(402);
    expect(refused.headers.get("x-should-retry")).toBe("false");
    expect(errorOf(refused.body)).toMatchObject({
      code: "budget_exceeded",
      message: expect.stringContaining("the member who calls has used or set aside $0.00 of their budget of $0.50"),
      details: { budget: "member", limit: "500000000", used: "0", reset_at: "2026-11-19T00:00:00.000Z" },
    });
    await spend(owner, 1);
    await set(owner, ORGANIZATION, { amount_nano_usd: usd(1), period: "none", hard: true });
    await spend(owner, 1);
    expect(errorOf((await chat(owner)).body)).toMatchObject({
      details: { budget: "organization", limit: usd(1), used: usd(1), reset_at: null },
    });
    expect(upstream.recordedRequests).toHaveLength(2);
  });

  test("preflight knows a hard budget and sends no alert", async () => {
    await server.addUpstream();
    await listen(owner);
    await set(owner, ORGANIZATION, { amount_nano_usd: usd(1), hard: true, warning_percent: 100 });
    await server.db
      .updateTable("budgets")
      .set({ spent_nano_usd: usd(1) })
      .execute();
    const preflight = await server.call("/v1/preflight", { token: owner.token, body: { model: MODEL } });
    expect(preflight.body).toMatchObject({ admitted: false, refusal: { code: "budget_exceeded" } });
    expect(await eventsOf(owner)).toEqual([]);
  });

  test("a hard budget does not refuse calls on flat plans", async () => {
    await server.addUpstream();
    const flat = await server.signUpOnPlan({});
    await set(flat, ORGANIZATION, { amount_nano_usd: "0", hard: true });
    await spend(flat, 1);
    expect(await list(flat)).toMatchObject([{ spent_nano_usd: "0" }]);
  });

  test("a budget that only alerts refuses no call", async () => {
    await server.addUpstream();
    await set(owner, ORGANIZATION, { amount_nano_usd: usd(1) });
    await spend(owner, 3);
    expect(await list(owner)).toMatchObject([{ spent_nano_usd: usd(3) }]);
  });
});

test("a call counts for the period in which it began, also when it is charged in the next one", async () => {
  await server.addUpstream();
  await set(owner, ORGANIZATION, { amount_nano_usd: usd(9), period: "month" });
  const { id, secret } = await server.createKey(owner);
  clock.at = Date.parse("2026-11-30T23:59:59Z");
  expect((await chat({ token: secret })).status).toBe(200);
  clock.at = Date.parse("2026-12-01T00:00:01Z");
  await spend({ token: secret }, 1);
  expect(await list(owner)).toMatchObject([{ spent_nano_usd: usd(1) }]);
  const days = server.db.selectFrom("api_key_spend").select([sql<string>`day::text`.as("day"), "spent_nano_usd"]);
  expect(await days.where("api_key_id", "=", id).orderBy("day").execute()).toEqual([
    { day: "2026-11-30", spent_nano_usd: usd(1) },
    { day: "2026-12-01", spent_nano_usd: usd(1) },
  ]);
  await remove(owner, ORGANIZATION);
  await set(owner, ORGANIZATION, { amount_nano_usd: usd(9), period: "month" });
  expect(await list(owner)).toMatchObject([{ spent_nano_usd: usd(1) }]);
});

describe("alerts", () => {
  test("budget alerts inform admins once per period that the warning threshold and the amount are reached", async () => {
    await server.addUpstream();
    const [admin, developer] = [await addMember("admin"), await addMember()];
    await listen(owner);
    await set(owner, ORGANIZATION, { amount_nano_usd: usd(3), period: "day", warning_percent: 50 });
    await spend(owner, 1);
    expect(await eventsOf(owner)).toEqual([]);
    await spend(owner, 1);
    const [event] = await eventsOf(owner);
    expect(event).toMatchObject({
      type: "budget.warning",
      data: {
        scope: "organization",
        user_id: null,
        amount_nano_usd: usd(3),
        period: "day",
        hard: false,
        warning_percent: 50,
        spent_nano_usd: usd(2),
        resets_at: "2026-11-19T00:00:00.000Z",
      },
    });
    clock.at += 1000;
    await spend(owner, 1);
    clock.at += 1000;
    await spend(owner, 2);
    expect(await typesOf(owner)).toEqual(["budget.warning", "budget.reached"]);
    for (const account of [owner, admin])
      expect((await mailsTo(account)).map(({ kind }) => kind)).toEqual(["budget_warning", "budget_reached"]);
    expect((await mailsTo(owner))[0]?.body).toContain("has reached 50 %: $2.00 of $3.00 are spent.");
    expect(await mailsTo(developer)).toEqual([]);
    clock.at = Date.parse("2026-11-19T00:00:00Z");
    await spend(owner, 2);
    expect(await typesOf(owner)).toEqual(["budget.warning", "budget.reached", "budget.warning"]);
  });

  test("budget alerts for a member's budget go to the member and the admins", async () => {
    await server.addUpstream();
    const member = await addMember();
    await listen(owner);
    await set(owner, ofMember(member), { amount_nano_usd: usd(1) });
    await spend(owner, 2);
    expect(await eventsOf(owner)).toEqual([]);
    await spend(member, 1);
    expect(await typesOf(owner)).toEqual(["budget.warning", "budget.reached"]);
    expect((await eventsOf(owner))[0]?.data).toMatchObject({ scope: "member", user_id: member.userId });
    // One charge that reaches both thresholds sends one mail.
    for (const account of [owner, member])
      expect((await mailsTo(account)).map(({ kind }) => kind)).toEqual(["budget_reached"]);
  });

  test("budget alerts inform once that a hard budget refuses calls which no longer fit", async () => {
    await server.addUpstream();
    await listen(owner);
    await set(owner, ORGANIZATION, { amount_nano_usd: "2500000000", hard: true });
    await spend(owner, 2);
    expect(await typesOf(owner)).toEqual(["budget.warning"]);
    clock.at += 1000;
    const refused = await Promise.all([chat(owner), chat(owner), chat(owner)]);
    expect(refused.map(({ status }) => status)).toEqual([402, 402, 402]);
    const events = await eventsOf(owner);
    expect(events.map(({ type, data }) => [type, data.refused_call])).toEqual([
      ["budget.warning", false],
      ["budget.reached", true],
    ]);
    expect((await mailsTo(owner))[1]?.body).toContain("refused a call: $2.00 of $2.50 are spent.");
    expect((await mailsTo(owner)).map(({ kind }) => kind)).toEqual(["budget_warning", "budget_reached"]);
  });

  test("budget alerts are not sent when a single call is too large for a budget", async () => {
    await server.addUpstream();
    await listen(owner);
    await set(owner, ORGANIZATION, { amount_nano_usd: "900000000", hard: true });
    expect((await chat(owner)).status).toBe(402);
    expect(await eventsOf(owner)).toEqual([]);
  });

  test("budget alerts are sent again when the amount changes", async () => {
    await server.addUpstream();
    await listen(owner);
    await set(owner, ORGANIZATION, { amount_nano_usd: usd(1) });
    await spend(owner, 1);
    await set(owner, ORGANIZATION, { amount_nano_usd: usd(1), hard: true });
    await set(owner, ORGANIZATION, { amount_nano_usd: usd(1), hard: false });
    clock.at += 1000;
    await spend(owner, 1);
    expect(await typesOf(owner)).toEqual(["budget.warning", "budget.reached"]);
    await set(owner, ORGANIZATION, { amount_nano_usd: usd(3) });
    clock.at += 1000;
    await spend(owner, 1);
    expect(await typesOf(owner)).toEqual(["budget.warning", "budget.reached", "budget.warning", "budget.reached"]);
  });

  test("budget alerts are not lost, and not sent twice, when the server dies while it charges", async () => {
    await listen(owner);
    await set(owner, ORGANIZATION, { amount_nano_usd: usd(1) });
    const row = usageRow();
    const { settlement } = server.api.credits;
    const killed = server.db.transaction().execute(async (trx) => {
      await settlement.write([row], withoutCommit(trx));
      throw new Error("killed");
    });
    await expect(killed).rejects.toThrow("killed");
    expect([await eventsOf(owner), await mailsTo(owner)]).toEqual([[], []]);
    expect(await list(owner)).toMatchObject([{ spent_nano_usd: "0" }]);
    for (let times = 0; times < 2; times++) await settlement.write([row], server.db);
    expect(await typesOf(owner)).toEqual(["budget.warning", "budget.reached"]);
    expect(await mailsTo(owner)).toHaveLength(1);
    expect(await list(owner)).toMatchObject([{ spent_nano_usd: usd(1) }]);
  });
});

/** Returns how many statements that call this function wait for a lock. */
async function countWaiting(name: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where wait_event_type = 'Lock' and query like ${`%${name}%`} and pid <> pg_backend_pid()
      and datname = current_database()`.execute(server.db);
  return rows[0]?.count ?? 0;
}

type Written = Parameters<TestServer["api"]["credits"]["settlement"]["write"]>;

/** Returns the usage of a call of the owner that cost 1 USD and is not charged yet. */
function usageRow(): Written[0][number] {
  return {
    id: `req_budget_${++counter}`,
    organization_id: owner.organizationId,
    user_id: owner.userId,
    billing_mode: "request_pricing",
    cost_status: "final",
    cost_nano_usd: usd(1),
    duration_ms: 1,
    kind: "chat",
    model_class_id: "small",
    model_id: MODEL,
    outcome: "completed",
    started_at: clock.now(),
    status: 200,
    streamed: false,
    units: 1,
  };
}

/** Returns a database whose transactions are part of `trx`, so that they do not commit before it. */
function withoutCommit(trx: Written[1]): Written[1] {
  return new Proxy(trx, {
    get: (target, name, receiver) =>
      name === "transaction"
        ? () => ({ execute: (work: (inner: Written[1]) => Promise<unknown>) => work(trx) })
        : Reflect.get(target, name, receiver),
  });
}
