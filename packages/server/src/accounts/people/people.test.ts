import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listMessages } from "../../testing/outbox.ts";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";

const clock = createTestClock();
let server: TestServer;
let admin: Account;
let user: Account;

beforeAll(async () => {
  server = await createTestServer({ clock });
  admin = await server.signInAdmin();
});
beforeEach(async () => {
  user = await server.signUp();
});
afterAll(() => server.close());

type Item = { id: string; email: string; plan_id: string; suspended_at: string | null; requests_30d: number };
const list = async (query: string) => {
  const { body, status } = await server.call(`/api/admin/users?${query}`, { token: admin.token });
  expect(status).toBe(200);
  return (body as { items: Item[] }).items;
};
const send = (id: string, body: object, token: string) =>
  server.call(`/api/admin/users/${id}`, { method: "PUT", token, body });
/** Updates a user, with the password that some changes require. */
const update = (id: string, body: object, by = admin) =>
  send(id, "is_admin" in body || "email_verified" in body ? { ...body, password: PASSWORD } : body, by.token);
const me = (token: string) => server.call("/api/auth/me", { token });

const organizationName = async () => {
  const query = server.db.selectFrom("organizations").select("name").where("id", "=", user.organizationId);
  return (await query.executeTakeFirstOrThrow()).name;
};

describe("the list of users", () => {
  test("the list of users finds those whose own organization has the words in its name, and no other members of it", async () => {
    const before = await organizationName();
    const rename = (name: string) =>
      server.db.updateTable("organizations").set({ name }).where("id", "=", user.organizationId).execute();
    await rename("Winter 100% Gardens");
    const guest = await server.signUp();
    await server.db
      .insertInto("memberships")
      .values({ organization_id: user.organizationId, user_id: guest.userId, role: "viewer" })
      .execute();
    for (const words of ["winter 100%25 g", "GARDENS"])
      expect((await list(`search=${words}`)).map(({ id }) => id)).toEqual([user.userId]);
    expect(await list("search=winter 100_")).toEqual([]);
    await rename(before);
    expect(await list("search=gardens")).toEqual([]);
  });

  test("the list of users returns the fields that admins need", async () => {
    const [item] = await list(`search=${user.email}`);
    expect(item).toMatchObject({
      id: user.userId,
      email: user.email,
      is_admin: false,
      email_verified: true,
      suspended_at: null,
      organization_id: user.organizationId,
      organization_name: await organizationName(),
      plan_id: "feather_lite",
      requests_30d: 0,
      last_seen_at: clock.now().toISOString(),
    });
  });

  test("the list of users counts requests of the last thirty days", async () => {
    const request = (id: string, daysAgo: number) => ({
      id: `${id}_${user.userId}`,
      organization_id: user.organizationId,
      user_id: user.userId,
      model_id: "feather/demo",
      model_class_id: "demo",
      kind: "chat",
      outcome: "completed",
      status: 200,
      streamed: false,
      units: 1,
      started_at: new Date(clock.at - daysAgo * 86_400_000),
      duration_ms: 5,
    });
    await server.db
      .insertInto("requests")
      .values([request("a", 1), request("b", 29), request("c", 31)])
      .execute();
    expect((await list(`search=${user.email}`))[0]?.requests_30d).toBe(2);
    expect((await list("sort=-requests_30d&perPage=1"))[0]?.requests_30d).toBeGreaterThanOrEqual(2);
  });

  test.each([
    ["part of an e-mail, in any letter case", () => `search=${user.email.slice(0, -3).toUpperCase()}`],
    ["an id", () => `search=${user.userId}`],
    ["a plan", () => "plan_id=feather_lite&perPage=100"],
    ["no admin", () => "is_admin=false&perPage=100"],
    ["an active account", () => "status=active&perPage=100"],
    ["the day it was made", () => `created_from_date=${today()}&created_to_date=${today()}&perPage=100`],
  ])("the list of users can be filtered by %s", async (_what, query) => {
    expect((await list(query())).map(({ id }) => id)).toContain(user.userId);
  });

  test.each([
    ["another plan", () => "plan_id=feather_max&perPage=100"],
    ["an admin", () => "is_admin=true&perPage=100"],
    ["a suspended account", () => "status=suspended&perPage=100"],
    ["an unconfirmed e-mail", () => "status=unverified&perPage=100"],
    ["a wildcard that is none", () => "search=%25"],
    ["an earlier day", () => "created_to_date=2020-01-01"],
  ])("the list of users finds nothing by %s", async (_what, query) => {
    expect((await list(query())).map(({ id }) => id)).not.toContain(user.userId);
  });

  const today = () => clock.now().toISOString().slice(0, 10);

  test.each(["email", "-email", "created_at", "-created_at", "-last_seen_at"])(
    "the list of users sorts by %s",
    async (sort) => {
      const emails = (await list(`sort=${sort}&perPage=100&search=@example.com`)).map(({ email }) => email);
      expect(emails).toContain(user.email);
      if (sort === "email") expect(emails).toEqual(emails.toSorted());
      if (sort === "-email") expect(emails).toEqual(emails.toSorted().reverse());
    },
  );

  test("the list of users is paginated", async () => {
    const { body } = await server.call("/api/admin/users?perPage=1&page=2&sort=email", { token: admin.token });
    const all = await list("sort=email&perPage=100");
    expect(body).toMatchObject({
      items: [{ id: all[1]?.id }],
      pagination: { current_page: 2, per_page: 1, total_items: all.length },
    });
  });

  test.each([
    "sort=password_hash",
    "status=gone",
    "created_from_date=soon",
    "created_from_date=2026-02-02&created_to_date=2026-01-01",
  ])("the list of users rejects the query %s", async (query) => {
    expect((await server.call(`/api/admin/users?${query}`, { token: admin.token })).status).toBe(400);
  });
});

describe("one user", () => {
  const get = (id: string, by = admin) => server.call(`/api/admin/users/${id}`, { token: by.token });

  test("one user has the same fields as in the list", async () => {
    const [listed] = await list(`search=${user.email}`);
    const { status, body } = await get(user.userId);
    expect([status, body]).toEqual([200, listed]);
  });

  test.each([
    ["that is not there", "usr_none"],
    ["named by e-mail", "somebody@example.com"],
  ])("a user %s is not found", async (_what, id) => {
    const { status, body } = await get(id);
    expect([status, errorCode(body)]).toEqual([404, "users.not_found"]);
  });

  test("one user is hidden from users who are not admins, even from themselves", async () => {
    const answer = await get(user.userId, user);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toContain(user.email);
  });
});

describe("suspending", () => {
  test("suspending a user ends sessions and keys immediately and gives the reason at sign-in", async () => {
    const { secret } = await server.createKey(user, { scopes: ["user.read", "api.access"] });
    expect((await me(secret)).status).toBe(200);
    const suspended = await update(user.userId, { suspended: true, reason: "Sends unsolicited mail" });
    expect(suspended.body).toMatchObject({
      suspended_at: clock.now().toISOString(),
      suspension_reason: "Sends unsolicited mail",
    });
    expect((await me(secret)).status).toBe(401);
    expect((await me(user.token)).status).toBe(401);
    const login = await server.call("/api/auth/login", { body: { email: user.email, password: PASSWORD } });
    expect([login.status, errorCode(login.body)]).toEqual([401, "account_suspended"]);
    expect((await list("status=suspended")).map(({ id }) => id)).toContain(user.userId);
  });

  test("suspending a user can be undone for keys, but not for sessions", async () => {
    const { secret } = await server.createKey(user, { scopes: ["user.read"] });
    await update(user.userId, { suspended: true, reason: "A mistake" });
    expect((await update(user.userId, { suspended: false })).body).toMatchObject({
      suspended_at: null,
      suspension_reason: null,
    });
    expect((await me(secret)).status).toBe(200);
    expect((await me(user.token)).status).toBe(401);
  });

  test("suspending a user requires a reason and rejects the own account", async () => {
    expect((await update(user.userId, { suspended: true })).status).toBe(400);
    const refused = await update(admin.userId, { suspended: true, reason: "Oneself" });
    expect([refused.status, errorCode(refused.body)]).toEqual([409, "users.yourself"]);
  });

  test("suspending a user is audited", async () => {
    await update(user.userId, { suspended: true, reason: "Sends unsolicited mail" });
    const { body } = await server.call(`/api/admin/audit?action=users.update&target=${user.userId}`, {
      token: admin.token,
    });
    expect(body).toMatchObject({
      items: [
        {
          action: "users.update",
          actor_id: admin.userId,
          subject_id: null,
          details: { suspended: true, reason: "Sends unsolicited mail" },
        },
      ],
    });
  });
});

describe("admins", () => {
  test("admins can be appointed and removed, which takes effect immediately for their keys too", async () => {
    expect((await update(user.userId, { is_admin: true })).body).toMatchObject({ is_admin: true });
    const { secret } = await server.createKey(user, { scopes: ["admin", "user.read"] });
    expect((await server.call("/api/admin/users", { token: secret })).status).toBe(200);
    expect((await update(admin.userId, { is_admin: false }, user)).status).toBe(200);
    expect((await server.call("/api/admin/users", { token: admin.token })).status).toBe(404);
    expect((await update(admin.userId, { is_admin: true }, user)).status).toBe(200);
    expect((await update(user.userId, { is_admin: false })).status).toBe(200);
    expect((await server.call("/api/admin/users", { token: secret })).status).toBe(404);
  });

  test("admins cannot lose the last one", async () => {
    const refused = await update(admin.userId, { is_admin: false });
    expect([refused.status, errorCode(refused.body)]).toEqual([409, "users.last_admin"]);
  });

  test("admins cannot lose the last one by concurrent changes or a suspension", async () => {
    await update(user.userId, { is_admin: true });
    const answers = await Promise.all([
      update(user.userId, { is_admin: false }, user),
      update(admin.userId, { is_admin: false }),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    const admins = await server.db.selectFrom("users").select("id").where("is_admin", "=", true).execute();
    expect(admins).toHaveLength(1);
    await server.db
      .updateTable("users")
      .set({ is_admin: sql<boolean>`id = ${admin.userId}` })
      .execute();
  });
});

describe("a change of who may sign in, and with which rights,", () => {
  const CHANGES: [string, object][] = [
    ["making an admin", { is_admin: true }],
    ["unmaking an admin", { is_admin: false }],
    ["confirming an address", { email_verified: true }],
    ["calling an address unconfirmed", { email_verified: false }],
    ["suspending", { suspended: true, reason: "By a key" }],
    ["reinstating", { suspended: false }],
  ];

  test.each(CHANGES)(
    "a change of who may sign in, and with which rights, is refused to a key with all scopes: %s",
    async (_what, body) => {
      const { secret } = await server.createKey(admin, { scopes: ["admin", "user.read", "user.write"] });
      for (const withProof of [body, { ...body, password: PASSWORD }]) {
        const refused = await send(user.userId, withProof, secret);
        expect([refused.status, errorCode(refused.body)]).toEqual([401, "unauthorized"]);
      }
      expect((await list(`search=${user.email}`))[0]).toMatchObject({ email_verified: true, suspended_at: null });
    },
  );

  test("a change of who may sign in, and with which rights, leaves a key only the granting of plans", async () => {
    const { secret } = await server.createKey(admin, { scopes: ["admin"] });
    expect((await send(user.userId, { plan_id: "feather_max" }, secret)).status).toBe(200);
  });

  test.each(CHANGES.slice(0, 4))(
    "a change of who may sign in, and with which rights, asks for the admin's own password: %s",
    async (_what, body) => {
      for (const password of [undefined, "a guess at it"]) {
        const refused = await send(user.userId, { ...body, ...(password !== undefined && { password }) }, admin.token);
        expect([refused.status, errorCode(refused.body)]).toEqual([400, "auth.wrong_password"]);
      }
      expect((await send(user.userId, { ...body, password: PASSWORD }, admin.token)).status).toBe(200);
    },
  );

  test("a change of who may sign in, and with which rights, asks for the password to suspend another admin", async () => {
    await update(user.userId, { is_admin: true });
    const body = { suspended: true, reason: "Left the team" };
    expect(errorCode((await send(user.userId, body, admin.token)).body)).toBe("auth.wrong_password");
    expect((await send(user.userId, { ...body, password: PASSWORD }, admin.token)).status).toBe(200);
    await update(user.userId, { is_admin: false });
  });

  test("a change of who may sign in, and with which rights, is mailed to all admins and to the user, when it makes or unmakes an admin", async () => {
    const subjects = async (email: string) =>
      (await listMessages(server, email, "account_security")).map(({ subject }) => subject);
    const before = (await subjects(admin.email)).length;
    await update(user.userId, { is_admin: true });
    await update(user.userId, { is_admin: true });
    await update(user.userId, { is_admin: false });
    const expected = ["A new admin at Feather", "One admin fewer at Feather"];
    expect((await subjects(user.email)).sort()).toEqual(expected);
    expect(await subjects(admin.email)).toHaveLength(before + 2);
    const [message] = await listMessages(server, user.email, "account_security");
    expect(message?.body).toContain(`admin@example.com has`);
  });

  test.each([
    ["approving an account", "POST", "/api/admin/users/usr_1/approve"],
    ["refusing an account", "POST", "/api/admin/users/usr_1/refuse"],
    ["inviting", "POST", "/api/admin/invitations"],
    ["withdrawing an invitation", "DELETE", "/api/admin/invitations/invite_1"],
    ["taking a second factor away", "DELETE", "/api/admin/users/usr_1/second-factor"],
    ["acting as a user", "POST", "/api/admin/users/usr_1/impersonate"],
    ["showing the link in a message", "POST", "/api/admin/outbox/msg_1/reveal"],
  ])("a change of who may sign in, and with which rights, needs a session: %s", async (_what, method, path) => {
    const { secret } = await server.createKey(admin, { scopes: ["admin", "user.read", "user.write"] });
    const body = { email: "x@example.com", reason: "None", password: PASSWORD };
    const refused = await server.call(path, { method, token: secret, body });
    expect([refused.status, errorCode(refused.body)]).toEqual([401, "unauthorized"]);
  });
});

describe("a granted plan", () => {
  test("a granted plan takes effect immediately and replaces the previous one", async () => {
    const before = await server.call("/v1/plan", { token: user.token });
    expect(before.body).toMatchObject({ id: "feather_lite" });
    expect((await update(user.userId, { plan_id: "feather_scale", quantity: 3 })).body).toMatchObject({
      plan_id: "feather_scale",
    });
    expect((await server.call("/v1/plan", { token: user.token })).body).toMatchObject({
      id: "feather_scale",
      concurrency: 24,
    });
    await update(user.userId, { plan_id: "feather_pro_plus" });
    expect((await server.call("/v1/plan", { token: user.token })).body).toMatchObject({ id: "feather_pro_plus" });
    await update(user.userId, { plan_id: "feather_lite" });
    expect((await server.call("/v1/plan", { token: user.token })).body).toMatchObject({ id: "feather_lite" });
  });

  test.each([
    ["that does not exist", { plan_id: "feather_gold" }],
    ["in units, where it is not sold so", { plan_id: "feather_pro_plus", quantity: 2 }],
    ["without saying which", { quantity: 2 }],
  ])("a granted plan %s is rejected and changes nothing", async (_what, body) => {
    expect((await update(user.userId, { ...body, email_verified: false })).status).toBe(400);
    expect((await list(`search=${user.email}`))[0]).toMatchObject({ plan_id: "feather_lite", email_verified: true });
  });
});

describe("a change of a user", () => {
  test("a change of a user can verify the e-mail, which calls and keys require", async () => {
    const { secret } = await server.createKey(user);
    await update(user.userId, { email_verified: false });
    for (const token of [secret, user.token]) {
      const body = { model: "feather/demo", messages: [{ role: "user", content: "Hi" }] };
      const refused = await server.call("/v1/chat/completions", { token, body });
      expect([refused.status, refused.body]).toMatchObject([403, { error: { code: "email_not_verified" } }]);
    }
    expect(errorCode((await server.call("/api/api-keys", { token: user.token, body: { name: "x" } })).body)).toBe(
      "email_not_verified",
    );
    await update(user.userId, { email_verified: true });
    await expect(server.createKey(user)).resolves.toHaveProperty("secret");
  });

  test.each([
    ["nothing", {}],
    ["a field that is not an admin's to set", { password_hash: "x" }],
    ["a wrong type", { suspended: "yes" }],
    ["a reason for nothing", { reason: "Because" }],
  ])("a change of a user with %s is rejected", async (_what, body) => {
    expect((await update(user.userId, body)).status).toBe(400);
  });

  test("a change of an unknown user returns 404", async () => {
    const missing = await update("usr_missing", { is_admin: true });
    expect([missing.status, errorCode(missing.body)]).toEqual([404, "users.not_found"]);
  });
});
