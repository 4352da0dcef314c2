import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BillingServer, type Buyer, CARDS, createBillingServer } from "../../testing/billing.ts";
import type { Account } from "../../testing/server.ts";

type Item = {
  kind: string;
  severity: string;
  subject_id: string | null;
  subject: string | null;
  count: number | null;
  happens_at: string | null;
  message: string;
};

const START = "2026-11-20T12:00:00Z";
const at = (day: string) => `${day}T12:00:00.000Z`;

const PLENTY_BYTES = 1e12;

let server: BillingServer;
let owner: Buyer;
let readFree: () => Promise<number>;

beforeAll(async () => {
  server = await createBillingServer(START, {}, { freeBytes: () => readFree() });
  await server.db.updateTable("plans").set({ api_keys_max: 100 }).execute();
});
beforeEach(async () => {
  server.clock.at = Date.parse(START);
  readFree = async () => PLENTY_BYTES;
  owner = await server.createBuyer();
});
afterAll(() => server.close());

async function listAttention(token: string): Promise<Item[]> {
  const answer = await server.call("/api/attention", { token });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return (answer.body as { items: Item[] }).items;
}

/** Adds a member with a role to the owner's organization, who acts in it; returns the member's session. */
async function addMember(role: string): Promise<Account> {
  const member = await server.createBuyer(null);
  const { organizationId: organization_id } = owner;
  await server.db.insertInto("memberships").values({ organization_id, user_id: member.userId, role }).execute();
  const body = { organization_id };
  expect((await server.call("/api/organization/switch", { token: member.token, body })).status).toBe(200);
  return { ...member, organizationId: organization_id };
}

async function addWebhook(fields: { disabled_reason?: string; first_failed_at?: Date } = {}): Promise<string> {
  const body = { url: "https://hooks.example.com/feather", event_types: ["api_key.created"] };
  const { body: made } = await server.call("/api/webhooks", { token: owner.token, body });
  const { id } = made as { id: string };
  if (Object.keys(fields).length > 0)
    await server.db.updateTable("webhook_endpoints").set(fields).where("id", "=", id).execute();
  return id;
}

const spend = (api_key_id: string, day: string, spent_nano_usd: string) =>
  server.db.insertInto("api_key_spend").values({ api_key_id, day, spent_nano_usd }).execute();

test("nothing needs attention in an organization in which everything works", async () => {
  await addWebhook();
  await server.createKey(owner, { expires_at: at("2026-12-20") });
  await server.createKey(owner, { spend_limit_nano_usd: "1000000000" });
  await server.change(owner, { plan_id: "feather_basic" });
  expect(await listAttention(owner.token)).toEqual([]);
});

describe("a webhook", () => {
  test.each([
    ["failing", "its events could not be delivered"],
    ["gone", "its address answered that it is gone"],
    ["permission_ended", "the permission of the application that made it has ended"],
  ])("that the server switched off as %s is an error that says why", async (disabled_reason, why) => {
    const first_failed_at = new Date(at("2026-11-15"));
    const id = await addWebhook({ disabled_reason, first_failed_at });
    expect(await listAttention(owner.token)).toEqual([
      {
        kind: "webhook_off",
        severity: "error",
        subject_id: id,
        subject: "hooks.example.com",
        count: null,
        happens_at: at("2026-11-15"),
        message: `The webhook to hooks.example.com is off because ${why}.`,
      },
    ]);
  });

  test("that fails but is still used is a warning, and gone once a delivery succeeds", async () => {
    const id = await addWebhook({ first_failed_at: new Date(at("2026-11-19")) });
    expect(await listAttention(owner.token)).toMatchObject([
      { kind: "webhook_failing", severity: "warning", subject_id: id, happens_at: at("2026-11-19") },
    ]);
    await server.db.updateTable("webhook_endpoints").set({ first_failed_at: null }).where("id", "=", id).execute();
    expect(await listAttention(owner.token)).toEqual([]);
  });

  test("that a member switched off needs no attention", async () => {
    await addWebhook({ disabled_reason: "manual", first_failed_at: new Date(at("2026-11-19")) });
    expect(await listAttention(owner.token)).toEqual([]);
  });
});

describe("a key", () => {
  test.each([
    ["in a minute", "2026-11-20T12:01:00.000Z", 1],
    ["in seven days", at("2026-11-27"), 1],
    ["a minute later", "2026-11-27T12:01:00.000Z", 0],
  ])("that ends %s is named as it should be", async (_when, expires_at, count) => {
    await server.createKey(owner, { name: "Production", expires_at });
    const items = await listAttention(owner.token);
    expect(items).toHaveLength(count);
    if (count > 0)
      expect(items).toMatchObject([
        { kind: "key_expiring", severity: "warning", subject: "Production", happens_at: expires_at },
      ]);
  });

  test("that has ended, is off or was deleted needs no attention", async () => {
    const expires_at = at("2026-11-22");
    await server.createKey(owner, { name: "ended", expires_at: at("2026-11-20").replace("12:00", "13:00") });
    const off = await server.createKey(owner, { name: "off", expires_at });
    const deleted = await server.createKey(owner, { name: "deleted", expires_at });
    await server.db.updateTable("api_keys").set({ disabled: true }).where("id", "=", off.id).execute();
    await server.call(`/api/api-keys/${deleted.id}`, { method: "DELETE", token: owner.token });
    server.clock.at += 2 * 60 * 60 * 1000;
    expect(await listAttention(owner.token)).toEqual([]);
  });

  test.each([
    ["nine tenths less one nano-USD", "899999999", null],
    ["nine tenths", "900000000", "warning"],
    ["its limit less one nano-USD", "999999999", "warning"],
    ["its limit", "1000000000", "error"],
    ["more than its limit", "1000000001", "error"],
  ])("that has spent %s of its limit is shown as it should be", async (_what, spent, severity) => {
    const { id } = await server.createKey(owner, { name: "CI", spend_limit_nano_usd: "1000000000" });
    await spend(id, "2026-11-02", spent);
    const items = await listAttention(owner.token);
    expect(items.map((item) => [item.kind, item.severity, item.subject_id])).toEqual(
      severity === null ? [] : [["key_spent", severity, id]],
    );
  });

  test("has its limit again when the period of the limit begins anew", async () => {
    const { id } = await server.createKey(owner, { spend_limit_nano_usd: "1000000000", limit_reset: "month" });
    await spend(id, "2026-11-02", "1000000000");
    expect(await listAttention(owner.token)).toMatchObject([{ kind: "key_spent", severity: "error" }]);
    server.clock.at = Date.parse(at("2026-12-01"));
    expect(await listAttention(owner.key)).toEqual([]);
  });

  test("is one of at most twenty, the first to end first", async () => {
    const day = (index: number) => at(`2026-11-${21 + (index % 6)}`);
    for (let index = 0; index < 25; index++) await server.createKey(owner, { expires_at: day(index) });
    const items = await listAttention(owner.token);
    expect(items).toHaveLength(20);
    const dates = items.map((item) => item.happens_at);
    expect(dates).toEqual(dates.toSorted());
    expect(dates[0]).toBe(at("2026-11-21"));
  }, 60_000);
});

describe("a budget", () => {
  const set = (fields: object) =>
    server.call("/api/organization/budget", {
      method: "PUT",
      token: owner.token,
      body: { amount_nano_usd: "1000000000", period: "month", warning_percent: 80, ...fields },
    });
  const use = (spent_nano_usd: string) =>
    server.db
      .updateTable("budgets")
      .set({ spent_nano_usd })
      .where("organization_id", "=", owner.organizationId)
      .execute();

  test.each([
    ["less than its warning", "799999999", true, null],
    ["as much as its warning", "800000000", true, ["warning", "80 % of the organization's budget is spent."]],
    ["all", "1000000000", true, ["error", "The organization's budget is spent, so calls are refused."]],
    ["all, where it only alerts", "1000000000", false, ["warning", "The organization's budget is spent."]],
  ])("of which %s is spent is shown as it should be", async (_what, spent, hard, expected) => {
    await set({ hard });
    await use(spent);
    const items = await listAttention(owner.token);
    expect(items.map(({ severity, message }) => [severity, message])).toEqual(expected === null ? [] : [expected]);
  });

  test("of a member is shown to the member and to those who set budgets", async () => {
    const [one, other] = [await addMember("developer"), await addMember("developer")];
    const path = `/api/organization/members/${one.userId}/budget`;
    await server.call(path, { method: "PUT", token: owner.token, body: { amount_nano_usd: "1000000000", hard: true } });
    await use("1000000000");
    const kinds = async (token: string) => (await listAttention(token)).map(({ subject_id }) => subject_id);
    expect(await kinds(one.token)).toEqual([one.userId]);
    expect(await kinds(other.token)).toEqual([]);
    expect(await kinds(owner.token)).toEqual([one.userId]);
  });
});

describe("what is paid", () => {
  const setExpiry = (exp_year: number, exp_month: number) =>
    server.db
      .updateTable("payment_methods")
      .set({ exp_year, exp_month })
      .where("organization_id", "=", owner.organizationId)
      .execute();

  test.each([
    ["in two months", 2027, 1, null],
    ["at the end of this month", 2026, 11, ["warning", "The card that ends in 4242 expires within 30 days."]],
    ["at the end of the last month", 2026, 10, ["error", "The card that ends in 4242 has expired."]],
  ])("the card of a paid plan that ends %s is shown as it should be", async (_when, year, month, expected) => {
    await server.change(owner, { plan_id: "feather_basic" });
    await setExpiry(year, month);
    const items = await listAttention(owner.token);
    expect(items.map(({ severity, message }) => [severity, message])).toEqual(expected === null ? [] : [expected]);
  });

  test("a paid plan without a card is an error until there is one, or until the plan is canceled", async () => {
    await server.change(owner, { plan_id: "feather_basic" });
    const remove = () =>
      server.db
        .updateTable("payment_methods")
        .set({ deleted_at: new Date(START), is_default: false })
        .where("organization_id", "=", owner.organizationId)
        .execute();
    await remove();
    const { current_period_end_date: end } = await server.subscription(owner);
    expect(await listAttention(owner.token)).toMatchObject([
      { kind: "card_missing", severity: "error", subject_id: null, happens_at: end },
    ]);
    await server.addCard(owner, CARDS.alsoWorks);
    expect(await listAttention(owner.token)).toEqual([]);
    await remove();
    await server.call("/api/subscription", { method: "DELETE", token: owner.token });
    expect(await listAttention(owner.token)).toEqual([]);
  });

  test("a card that nothing will be charged to may end", async () => {
    await setExpiry(2026, 10);
    expect(await listAttention(owner.token)).toEqual([]);
    await server.change(owner, { plan_id: "feather_basic" });
    await server.call("/api/subscription", { method: "DELETE", token: owner.token });
    expect((await server.subscription(owner)).cancel_at_period_end).toBe(true);
    expect(await listAttention(owner.token)).toEqual([]);
  });

  test("an invoice that could not be charged is an error until it is paid", async () => {
    await server.change(owner, { plan_id: "feather_basic" });
    const { id } = (await server.addCard(owner, CARDS.failsLater)).body as { id: string };
    await server.call(`/api/payment-methods/${id}`, { method: "PUT", token: owner.key });
    server.clock.at = Date.parse(at("2026-12-21"));
    await server.runJobs();
    const [unpaid] = (await server.invoices(owner)).filter(({ status }) => status === "open");
    const items = (await listAttention(owner.key)).filter(({ kind }) => kind === "invoice_unpaid");
    expect(items).toMatchObject([{ severity: "error", subject_id: unpaid?.id, subject: unpaid?.number }]);
  });

  test("automatic top-ups that are paused are an error", async () => {
    const row = { organization_id: owner.organizationId, user_id: owner.userId, amount_cents: 500 };
    const paused = { paused_at: new Date(at("2026-11-18")), pause_reason: "card_declined" };
    await server.db
      .insertInto("auto_top_ups")
      .values({ ...row, threshold_cents: 100, monthly_limit_cents: 5000, updated_at: new Date(START), ...paused })
      .execute();
    expect(await listAttention(owner.token)).toMatchObject([
      { kind: "top_ups_paused", severity: "error", happens_at: at("2026-11-18"), subject: null },
    ]);
  });
});

describe("a deployment", () => {
  test.each([
    ["that does not run is an error", { state: "failed" }, 1],
    ["that is paused needs no attention", { state: "failed", paused: true }, 0],
    ["that is being deleted needs no attention", { state: "failed", deleting: true }, 0],
    ["that runs needs no attention", { state: "running" }, 0],
    ["that starts needs no attention", { state: "initializing" }, 0],
  ])("%s", async (_what, fields, count) => {
    const now = new Date(START);
    const id = `dep_${owner.userId}`;
    const { id: model_id } = await server.db.selectFrom("models").select("id").limit(1).executeTakeFirstOrThrow();
    const scaling = { min_replicas: 1, max_replicas: 1, autoscale_metric: "pending_requests", autoscale_target: 1 };
    const place = { provider_id: "local", region: "local", instance_type: "cpu", visibility: "private" };
    const row = {
      id,
      name: "Support",
      organization_id: owner.organizationId,
      model_id,
      created_at: now,
      updated_at: now,
    };
    await server.db
      .insertInto("deployments")
      .values({ ...row, ...scaling, ...place, ...fields })
      .execute();
    const expected = { kind: "deployment_failed", severity: "error", subject_id: id, subject: "Support" };
    expect(await listAttention(owner.token)).toMatchObject(Array(count).fill(expected));
  });
});

describe("invitations", () => {
  const invite = (email: string) =>
    server.call("/api/organization/invitations", { token: owner.token, body: { email, role: "viewer" } });
  const open = async (token: string) => (await listAttention(token)).filter(({ kind }) => kind === "invitations_open");

  test("that are open are counted for those who manage members, until they are deleted, used or ended", async () => {
    expect(await open(owner.token)).toEqual([]);
    await invite("ada@example.com");
    server.clock.at += 60_000;
    await invite("bob@example.com");
    const expected = { kind: "invitations_open", severity: "info", subject: null, happens_at: at("2026-11-27") };
    expect(await open(owner.token)).toMatchObject([
      { ...expected, count: 2, message: "2 invitations are not accepted yet." },
    ]);
    const ofOrganization = server.db
      .updateTable("invitations")
      .set({ used_at: new Date(START) })
      .where("organization_id", "=", owner.organizationId);
    await ofOrganization.where("email", "=", "bob@example.com").execute();
    expect(await open(owner.token)).toMatchObject([{ count: 1, message: "An invitation is not accepted yet." }]);
    server.clock.at = Date.parse(at("2026-11-27"));
    expect(await open(owner.key)).toEqual([]);
  });

  test.each([
    ["editor", 0],
    ["admin", 1],
  ])(
    "are shown to a member with the role %s as it should be, and to nobody of another organization",
    async (role, count) => {
      await invite("ada@example.com");
      const { token } = await addMember(role);
      expect(await open(token)).toHaveLength(count);
      expect(await open((await server.createBuyer()).token)).toEqual([]);
    },
  );
});

describe("members", () => {
  beforeEach(async () => {
    await addWebhook({ disabled_reason: "failing" });
    await server.createKey(owner, { expires_at: at("2026-11-22") });
    await server.change(owner, { plan_id: "feather_basic" });
    await server.db
      .updateTable("payment_methods")
      .set({ exp_year: 2026, exp_month: 11 })
      .where("organization_id", "=", owner.organizationId)
      .execute();
  });

  test.each([
    ["viewer", []],
    ["developer", ["key_expiring"]],
    ["editor", ["key_expiring"]],
    ["admin", ["webhook_off", "key_expiring", "card_expiring"]],
  ])("with the role %s get what they can do something about, the most severe first", async (role, kinds) => {
    const { token } = await addMember(role);
    expect((await listAttention(token)).map(({ kind }) => kind)).toEqual(kinds);
  });

  test("of another organization get nothing of it", async () => {
    expect(await listAttention((await server.createBuyer()).token)).toEqual([]);
  });

  test("need a credential with the scope user.read", async () => {
    expect((await server.call("/api/attention")).status).toBe(401);
    const { secret } = await server.createKey(owner, { scopes: ["api.access"] });
    expect((await server.call("/api/attention", { token: secret })).status).toBe(403);
  });
});

describe("the platform", () => {
  const platformKinds = [
    ...["backend_down", "mail_failed", "accounts_waiting", "models_requested"],
    ...["purchases_pending", "disk_nearly_full"],
  ];
  const listForPlatform = async (token: string) =>
    (await listAttention(token)).filter(({ kind }) => platformKinds.includes(kind));

  beforeEach(async () => {
    await server.db.deleteFrom("outbox").execute();
    await server.db.deleteFrom("model_requests").execute();
  });

  test("is not shown to those who are no admins, nor to an admin's key without the scope", async () => {
    await server.db
      .updateTable("users")
      .set({ approval_requested_at: new Date(START) })
      .where("id", "=", (await server.createBuyer()).userId)
      .execute();
    const admin = await server.signInAdmin();
    expect(await listForPlatform(owner.token)).toEqual([]);
    const { secret } = await server.createKey(admin, { scopes: ["user.read"] });
    expect(await listForPlatform(secret)).toEqual([]);
    expect(await listForPlatform(admin.token)).toMatchObject([
      { kind: "accounts_waiting", severity: "info", count: 1 },
    ]);
    await server.db.updateTable("users").set({ approval_requested_at: null }).execute();
    expect(await listForPlatform(admin.token)).toEqual([]);
  });

  test("tells of messages of the last seven days that could not be delivered", async () => {
    const { token } = await server.signInAdmin();
    const message = {
      kind: "receipt",
      recipient: "a@example.com",
      subject: "s",
      body: "t",
      created_at: new Date(START),
      send_after: new Date(START),
    };
    const failed = ["2026-11-13", "2026-11-14", "2026-11-19"].map((day, index) => ({
      ...message,
      id: `msg_attention${index}`,
      failed_at: new Date(at(day)),
    }));
    await server.db.insertInto("outbox").values(failed).execute();
    expect(await listForPlatform(token)).toMatchObject([
      {
        kind: "mail_failed",
        severity: "error",
        count: 2,
        happens_at: at("2026-11-19"),
        message: "2 messages of the last 7 days could not be delivered.",
      },
    ]);
    server.clock.at = Date.parse(at("2026-11-24"));
    const later = (await server.signInAdmin()).token;
    expect(await listForPlatform(later)).toMatchObject([
      { count: 1, message: "A message of the last 7 days could not be delivered." },
    ]);
  });

  test("tells of models that people ask for, each once", async () => {
    const { token } = await server.signInAdmin();
    const others = [owner, await server.createBuyer(null)];
    const rows = others.map(({ organizationId: organization_id }) => ({
      organization_id,
      model_id: "Acme/One",
      id_lower: "acme/one",
      created_at: new Date(START),
    }));
    await server.db.insertInto("model_requests").values(rows).execute();
    expect(await listForPlatform(token)).toMatchObject([
      {
        kind: "models_requested",
        severity: "info",
        count: 1,
        happens_at: at("2026-11-20"),
        message: "People ask for a model that does not run.",
      },
    ]);
  });

  test("tells of purchases at cloud marketplaces that are pending, since the oldest of them", async () => {
    const { token } = await server.signInAdmin();
    const purchase = (index: number, status: string) => ({
      ...{ id: `mkt_attention${index}`, organization_id: owner.organizationId, provider: "aws", status },
      ...{ customer_id: `customer${index}`, reference: `reference${index}`, product: "feather_basic", is_test: false },
      created_at: new Date(at(`2026-11-${10 + index}`)),
    });
    await server.db
      .insertInto("marketplace_accounts")
      .values([purchase(1, "canceled"), purchase(2, "pending"), purchase(3, "pending")])
      .execute();
    const expected = { kind: "purchases_pending", severity: "info", count: 2, happens_at: at("2026-11-12") };
    expect(await listForPlatform(token)).toMatchObject([
      { ...expected, message: "2 purchases at cloud marketplaces are pending." },
    ]);
    expect(await listForPlatform(owner.token)).toEqual([]);
    await server.db
      .updateTable("marketplace_accounts")
      .set({ status: "active" })
      .where("id", "=", "mkt_attention2")
      .execute();
    expect(await listForPlatform(token)).toMatchObject([
      { count: 1, message: "A purchase at a cloud marketplace is pending." },
    ]);
    await server.db.deleteFrom("marketplace_accounts").execute();
    expect(await listForPlatform(token)).toEqual([]);
  });

  test.each([
    ["5 GB", 5e9, []],
    ["less than 5 GB", 4_960_000_000, [["warning", "The disk of the data folder has 5.0 GB free."]]],
    ["1 GB", 1e9, [["warning", "The disk of the data folder has 1.0 GB free."]]],
    ["less than 1 GB", 940_000_000, [["error", "The disk of the data folder has 0.9 GB free."]]],
    ["nothing", 0, [["error", "The disk of the data folder has 0.0 GB free."]]],
  ])("tells of a disk with %s free what it is", async (_what, free, expected) => {
    readFree = async () => free;
    const { token } = await server.signInAdmin();
    const items = await listForPlatform(token);
    expect(items.map(({ severity, message }) => [severity, message])).toEqual(expected);
    expect(await listForPlatform(owner.token)).toEqual([]);
  });

  test("says nothing of a disk that cannot be read, and lists the rest", async () => {
    readFree = () => Promise.reject(new Error("ENOENT"));
    const { token } = await server.signInAdmin();
    expect(await listForPlatform(token)).toEqual([]);
  });

  test("tells of backends that do not answer by their names", async () => {
    const { token } = await server.signInAdmin();
    const add = (name: string, source: "settings" | "engine") =>
      server.api.backends.registry.set({
        name,
        source,
        baseUrl: "http://127.0.0.1:9/v1",
        weight: 1,
        models: new Map([["a/b", "b"]]),
      });
    add("gpu-1", "settings");
    add("gpu-2", "settings");
    add("engine:a/b", "engine");
    const down = server.api.backends.registry.list().filter(({ name }) => name !== "gpu-2");
    for (const backend of down) backend.circuitOpenUntil = server.clock.at + 1000;
    expect(await listForPlatform(token)).toMatchObject([
      { kind: "backend_down", severity: "error", subject: "gpu-1", message: "The backend gpu-1 does not answer." },
    ]);
    await server.removeUpstreams();
  });
});
