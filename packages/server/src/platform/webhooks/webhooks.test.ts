import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Account, createTestServer, type RequestOptions, type TestServer } from "../../testing/server.ts";
import { DAY_MS } from "../core/time.ts";

type Endpoint = { id: string; url: string; secret?: string; [field: string]: unknown };

const URL_OF_A = "https://hooks.example.com/feather?token=tok-1234";
const clock = createTestClock("2026-11-20T12:00:00Z");
let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await createTestServer({ clock });
  owner = await server.signUpOnPlan({});
});
afterAll(() => server.close());

const call = (path: string, options: RequestOptions = {}) =>
  server.call(`/api/webhooks${path}`, { token: owner.token, ...options });

async function create(fields: object = {}, account = owner): Promise<Endpoint> {
  const body = { url: URL_OF_A, event_types: ["member.added"], ...fields };
  const { status, body: endpoint, text } = await call("", { token: account.token, body });
  if (status !== 201) throw new Error(`No endpoint: ${text}`);
  return endpoint as Endpoint;
}

describe("an endpoint", () => {
  test("an endpoint is created with a secret that no other call returns", async () => {
    const endpoint = await create({ description: "CI" });
    expect(endpoint).toMatchObject({
      url: URL_OF_A,
      description: "CI",
      event_types: ["member.added"],
      disabled: false,
    });
    expect(endpoint.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret, ...rest } = endpoint;
    const [one, all] = [await call(`/${endpoint.id}`), await call("")];
    expect(one.body).toEqual(rest);
    expect((all.body as { items: Endpoint[] }).items).toContainEqual(rest);
    expect(one.text + all.text).not.toContain("whsec_");
  });

  test("an endpoint has its secret sealed in the database", async () => {
    const { id, secret } = await create();
    const row = await server.db.selectFrom("webhook_endpoints").selectAll().where("id", "=", id).executeTakeFirst();
    const bytes = Buffer.from(secret?.slice("whsec_".length) ?? "", "base64");
    expect(row?.secret.includes(bytes)).toBe(false);
    expect(row?.secret.toString("latin1")).not.toContain(secret);
  });

  test.each([
    ["http to another machine", "http://hooks.example.com/"],
    ["a private address", "https://192.168.1.1/"],
    ["this machine, unless the operator allows it", "https://127.0.0.1/"],
    ["this machine by http, unless the operator allows it", "http://127.0.0.1:4001/"],
    ["the address of a cloud's metadata", "https://169.254.169.254/latest"],
    ["a user name and a password", "https://user:pass@hooks.example.com/"],
    ["another scheme", "ftp://hooks.example.com/"],
    ["no URL", "hooks.example.com"],
  ])("an endpoint is refused for %s, and nothing is stored", async (_case, url) => {
    const before = ((await call("")).body as { items: Endpoint[] }).items.length;
    const { status } = await call("", { body: { url, event_types: ["member.added"] } });
    expect(status).toBe(400);
    expect(((await call("")).body as { items: Endpoint[] }).items).toHaveLength(before);
  });

  test.each([
    ["no types", { event_types: [] }],
    ["a type that does not exist", { event_types: ["member.renamed"] }],
    ["the type of tests", { event_types: ["webhook.test"] }],
    ["a URL of more than 2000 characters", { url: `https://hooks.example.com/${"a".repeat(2000)}` }],
    ["a description of more than 200 characters", { description: "a".repeat(201) }],
  ])("an endpoint is refused with %s", async (_case, fields) => {
    const body = { url: URL_OF_A, event_types: ["member.added"], ...fields };
    expect((await call("", { body })).status).toBe(400);
  });

  test("an endpoint is changed field by field", async () => {
    const { id } = await create();
    const changed = await call(`/${id}`, { method: "PUT", body: { event_types: ["plan.changed"], description: "x" } });
    expect(changed.body).toMatchObject({ url: URL_OF_A, event_types: ["plan.changed"], description: "x" });
    expect((await call(`/${id}`, { method: "PUT", body: { url: "https://10.0.0.1/" } })).status).toBe(400);
    expect((await call(`/${id}`)).body).toMatchObject({ url: URL_OF_A });
  });

  test("an endpoint is disabled and enabled", async () => {
    const { id } = await create();
    const disabled = await call(`/${id}`, { method: "PUT", body: { disabled: true } });
    expect(disabled.body).toMatchObject({ disabled: true, disabled_reason: "manual" });
    expect(errorCode((await call(`/${id}/test`, { method: "POST" })).body)).toBe("webhooks.disabled");
    const enabled = await call(`/${id}`, { method: "PUT", body: { disabled: false } });
    expect(enabled.body).toMatchObject({ disabled: false, disabled_reason: null });
  });

  test("an endpoint is deleted with its deliveries", async () => {
    const { id } = await create();
    expect((await call(`/${id}/test`, { method: "POST" })).status).toBe(202);
    await server.api.webhooks.settled();
    expect((await call(`/${id}`, { method: "DELETE" })).status).toBe(204);
    expect(errorCode((await call(`/${id}`)).body)).toBe("webhooks.not_found");
    const left = await server.db.selectFrom("webhook_deliveries").select("id").where("endpoint_id", "=", id).execute();
    expect(left).toEqual([]);
  });

  test("an endpoint keeps its previous secret for 24 hours after a rotation, and no other", async () => {
    const { id, secret } = await create();
    const rotated = (await call(`/${id}/rotate`, { method: "POST" })).body as Endpoint;
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    const end = new Date(clock.at + DAY_MS).toISOString();
    expect((await call(`/${id}`)).body).toMatchObject({ previous_secret_expires_at: end });
    clock.at += DAY_MS;
    expect((await call(`/${id}`)).body).toMatchObject({ previous_secret_expires_at: null });
    await server.runJob("delete old webhook deliveries");
    const row = await server.db.selectFrom("webhook_endpoints").selectAll().where("id", "=", id).executeTakeFirst();
    expect(row?.previous_secret).toBe(null);
  });

  test("an endpoint is one of 20 at most", async () => {
    const account = await server.signUpOnPlan({});
    for (let count = 0; count < 20; count++) await create({}, account);
    const { status, body } = await call("", {
      token: account.token,
      body: { url: URL_OF_A, event_types: ["member.added"] },
    });
    expect([status, errorCode(body)]).toEqual([409, "webhooks.limit_reached"]);
  });

  test("an endpoint is seen and changed only by its organization", async () => {
    const { id } = await create();
    const token = (await server.signUpOnPlan({})).token;
    const paths: [string, RequestOptions][] = [
      [`/${id}`, {}],
      [`/${id}`, { method: "PUT", body: { disabled: true } }],
      [`/${id}`, { method: "DELETE" }],
      [`/${id}/rotate`, { method: "POST" }],
      [`/${id}/test`, { method: "POST" }],
      [`/${id}/deliveries`, {}],
      [`/${id}/deliveries/whd_1/replay`, { method: "POST" }],
    ];
    for (const [path, options] of paths) expect((await call(path, { ...options, token })).status).toBe(404);
    expect(((await call("", { token })).body as { items: Endpoint[] }).items).toEqual([]);
  });

  test("an endpoint leaves no address and no secret in the audit log", async () => {
    const { id, secret } = await create();
    await call(`/${id}`, { method: "PUT", body: { url: `${URL_OF_A}5678` } });
    await call(`/${id}/rotate`, { method: "POST" });
    const entries = await server.db
      .selectFrom("audit_log")
      .select(["action", "details"])
      .where("target", "=", id)
      .orderBy("sequence")
      .execute();
    expect(entries.map(({ action }) => action)).toEqual(["webhooks.create", "webhooks.update", "webhooks.rotate"]);
    expect(JSON.stringify(entries)).not.toContain("tok-1234");
    expect(JSON.stringify(entries)).not.toContain(secret);
  });

  test("an endpoint is not for members who are no admins", async () => {
    const member = await server.signUp();
    await server.db
      .insertInto("memberships")
      .values({ organization_id: owner.organizationId, user_id: member.userId, role: "editor" })
      .execute();
    const body = { organization_id: owner.organizationId };
    await server.call("/api/organization/switch", { token: member.token, body });
    expect(errorCode((await call("", { token: member.token })).body)).toBe("organization_permission_denied");
  });
});
