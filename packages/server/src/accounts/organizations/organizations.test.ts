import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

let server: TestServer;
let owner: Account;
let joe: Account;

beforeAll(async () => {
  server = await createTestServer();
  await server.addUpstream({}, ["feather/demo"]);
});
beforeEach(async () => {
  owner = await server.signUpOnPlan({});
  joe = await server.signUp();
});
afterAll(() => server.close());

const join = (user: Account, role: string, organizationId = owner.organizationId) =>
  server.db.insertInto("memberships").values({ organization_id: organizationId, user_id: user.userId, role }).execute();
const switchTo = (user: Account, organizationId: string) =>
  server.call("/api/organization/switch", { token: user.token, body: { organization_id: organizationId } });
const organizationOf = async (token: string) =>
  ((await server.call("/api/organization", { token })).body as { id: string }).id;
const setRole = (by: Account, userId: string, role: string) =>
  server.call(`/api/organization/members/${userId}`, { method: "PUT", token: by.token, body: { role } });
const remove = (by: Account, userId: string) =>
  server.call(`/api/organization/members/${userId}`, { method: "DELETE", token: by.token });
const chat = (token: string) =>
  server.call("/v1/chat/completions", {
    token,
    body: { model: "feather/demo", messages: [{ role: "user", content: "Hi" }] },
  });

test("lists the permissions of each role, which include those of the weaker roles", async () => {
  const anybody = await server.signUp();
  const { status, body } = await server.call("/api/organization/roles", { token: anybody.token });
  expect(status).toBe(200);
  const { items } = body as { items: { role: string; permissions: string[] }[] };
  expect(items.map(({ role }) => role)).toEqual(["viewer", "developer", "editor", "admin"]);
  expect(items[0]?.permissions).toEqual([]);
  for (const [index, { permissions }] of items.entries())
    expect(permissions).toEqual(expect.arrayContaining(items[index - 1]?.permissions ?? []));
  const permissions = [...server.platform.contract.operations.values()].map(({ permission }) => permission);
  expect([...(items.at(-1)?.permissions ?? [])].sort()).toEqual(
    [...new Set(permissions.filter((name) => name !== null))].sort(),
  );
});

describe("the organization", () => {
  test("the organization can be renamed by its admins, and the change is in the audit log", async () => {
    const renamed = await server.call("/api/organization", {
      method: "PUT",
      token: owner.token,
      body: { name: "  Acme   Labs " },
    });
    expect(renamed.body).toMatchObject({ id: owner.organizationId, name: "Acme Labs", role: "admin" });
    expect((await server.call("/api/auth/me", { token: owner.token })).body).toMatchObject({
      organization: { name: "Acme Labs" },
    });
    const [row] = await server.db
      .selectFrom("audit_log")
      .selectAll()
      .where("organization_id", "=", owner.organizationId)
      .orderBy("sequence", "desc")
      .execute();
    expect(row).toMatchObject({ action: "organization.update", actor_user_id: owner.userId, ip: "127.0.0.1" });
  });

  test.each([
    ["a blank name", { name: "  " }],
    ["a name of two lines", { name: "Acme\nLabs" }],
    ["a long name", { name: "x".repeat(65) }],
    ["no name", {}],
  ])("the organization rejects %s", async (_what, body) => {
    expect((await server.call("/api/organization", { method: "PUT", token: owner.token, body })).status).toBe(400);
  });
});

describe("a session", () => {
  test("a session acts for the organization it switched to, where its new keys belong", async () => {
    await join(joe, "developer");
    const list = await server.call("/api/organizations", { token: joe.token });
    expect(list.body).toMatchObject({
      items: [
        { id: joe.organizationId, role: "admin" },
        { id: owner.organizationId, role: "developer" },
      ],
    });
    const switched = await switchTo(joe, owner.organizationId);
    expect(switched.body).toMatchObject({ organization: { id: owner.organizationId, role: "developer" } });
    expect((await server.call("/api/auth/me", { token: joe.token })).body).toMatchObject({
      organization: { id: owner.organizationId },
    });
    const key = await server.createKey(joe);
    expect((await server.call(`/api/api-keys/${key.id}`, { token: owner.token })).status).toBe(200);
    await switchTo(joe, joe.organizationId);
    expect((await server.call(`/api/api-keys/${key.id}`, { token: joe.token })).status).toBe(404);
    expect((await chat(key.secret)).status).toBe(200);
    const [row] = await server.db.selectFrom("api_keys").selectAll().where("id", "=", key.id).execute();
    expect(row?.organization_id).toBe(owner.organizationId);
  });

  test("a session does not switch the user's other sessions", async () => {
    await join(joe, "viewer");
    const again = await server.call("/api/auth/login", { body: { email: joe.email, password: "feathers-are-light" } });
    await switchTo(joe, owner.organizationId);
    expect(await organizationOf(again.headers.get("x-session-token") ?? "")).toBe(joe.organizationId);
  });

  test.each([
    ["one it is no member of", () => owner.organizationId],
    ["one that does not exist", () => "org_missing"],
  ])("a session cannot switch to %s", async (_what, organization) => {
    const refused = await switchTo(joe, organization());
    expect([refused.status, errorCode(refused.body)]).toEqual([404, "organization.not_found"]);
    expect(await organizationOf(joe.token)).toBe(joe.organizationId);
  });

  test("a session is required for a switch: a key stays with its organization", async () => {
    await join(joe, "developer");
    const { secret } = await server.createKey(joe, { scopes: ["user.read", "user.write", "api.access"] });
    expect((await switchTo({ ...joe, token: secret }, owner.organizationId)).status).toBe(401);
    expect(await organizationOf(secret)).toBe(joe.organizationId);
  });
});

describe("members", () => {
  test("members are listed to members only", async () => {
    await join(joe, "viewer");
    await switchTo(joe, owner.organizationId);
    const list = await server.call("/api/organization/members", { token: joe.token });
    expect(list.body).toMatchObject({
      items: [
        { user_id: owner.userId, role: "admin", email: owner.email },
        { user_id: joe.userId, role: "viewer" },
      ],
    });
    const stranger = await server.signUp();
    expect((await server.call("/api/organization/members", { token: stranger.token })).text).not.toContain(owner.email);
  });

  test("members get another role at once, as do their keys", async () => {
    await join(joe, "developer");
    await switchTo(joe, owner.organizationId);
    const { secret } = await server.createKey(joe);
    expect((await chat(secret)).status).toBe(200);
    expect((await setRole(owner, joe.userId, "viewer")).body).toMatchObject({ user_id: joe.userId, role: "viewer" });
    expect((await chat(secret)).status).toBe(403);
    expect((await server.call("/api/api-keys", { token: joe.token, body: { name: "x" } })).status).toBe(403);
  });

  test("members cannot be changed from another organization", async () => {
    const stranger = await server.signUp();
    await join(joe, "viewer");
    for (const answer of [await setRole(stranger, joe.userId, "admin"), await remove(stranger, joe.userId)])
      expect([answer.status, errorCode(answer.body)]).toEqual([404, "organization.member_not_found"]);
    expect((await setRole(owner, "usr_missing", "admin")).status).toBe(404);
    expect((await setRole(owner, joe.userId, "root")).status).toBe(400);
  });

  test("members cannot remove others without the permission", async () => {
    const eve = await server.signUp();
    await join(joe, "editor");
    await join(eve, "viewer");
    await switchTo(joe, owner.organizationId);
    const refused = await remove(joe, eve.userId);
    expect([refused.status, errorCode(refused.body)]).toEqual([403, "organization_permission_denied"]);
  });
});

describe("the last admin", () => {
  test.each([
    ["leave", () => remove(owner, owner.userId)],
    ["step down", () => setRole(owner, owner.userId, "editor")],
  ])("the last admin cannot %s", async (_what, attempt) => {
    await join(joe, "editor");
    const refused = await attempt();
    expect([refused.status, errorCode(refused.body)]).toEqual([409, "organization.last_admin"]);
  });

  test("the last admin remains when two admins step down at once", async () => {
    await join(joe, "admin");
    await switchTo(joe, owner.organizationId);
    const answers = await Promise.all([
      setRole(owner, owner.userId, "viewer"),
      setRole(joe, joe.userId, "viewer"),
      remove(owner, owner.userId),
      remove(joe, joe.userId),
    ]);
    const admins = await server.db
      .selectFrom("memberships")
      .selectAll()
      .where("organization_id", "=", owner.organizationId)
      .where("role", "=", "admin")
      .execute();
    expect(admins).toHaveLength(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });
});

describe("a member who is removed", () => {
  test("a member who is removed loses the keys and invitations of the organization at once, and keeps their session and their other keys", async () => {
    await join(joe, "admin");
    const own = await server.createKey(joe);
    await switchTo(joe, owner.organizationId);
    const theirs = await server.createKey(joe);
    await server.call("/api/organization/invitations", {
      token: joe.token,
      body: { email: "second.account@example.com", role: "admin" },
    });
    expect((await chat(theirs.secret)).status).toBe(200);

    expect((await remove(owner, joe.userId)).status).toBe(204);

    expect((await chat(theirs.secret)).status).toBe(401);
    expect(await organizationOf(joe.token)).toBe(joe.organizationId);
    expect((await server.call(`/api/api-keys/${theirs.id}`, { token: owner.token })).status).toBe(404);
    expect((await server.call("/api/organization/invitations", { token: owner.token })).body).toEqual({ items: [] });
    expect((await chat(own.secret)).status).toBe(200);
    await join(joe, "admin"); // coming back revives nothing
    expect((await chat(theirs.secret)).status).toBe(401);
    expect(await organizationOf(joe.token)).toBe(joe.organizationId);
  });

  test("a member who is removed gets a new organization when it was their only one", async () => {
    await join(joe, "admin");
    await switchTo(joe, owner.organizationId);
    expect((await remove(joe, owner.userId)).status).toBe(204);
    const me = (await server.call("/api/auth/me", { token: owner.token })).body as {
      organization: { id: string; role: string };
    };
    expect(me.organization.role).toBe("admin");
    expect(me.organization.id).not.toBe(owner.organizationId);
  });

  test("a member who is removed can remove themselves", async () => {
    await join(joe, "viewer");
    await switchTo(joe, owner.organizationId);
    expect((await remove(joe, joe.userId)).status).toBe(204);
    expect(await organizationOf(joe.token)).toBe(joe.organizationId);
    expect((await remove(joe, joe.userId)).status).toBe(409); // they are the last admin of their first organization
  });
});

describe("the name of an organization", () => {
  const rename = (name: string) =>
    server.call("/api/organization", { method: "PUT", token: owner.token, body: { name } });
  const invite = () =>
    server.call("/api/organization/invitations", {
      token: owner.token,
      body: { email: "friend@example.com", role: "viewer" },
    });

  test.each(["Feather Security http://evil.example/login", "Visit evil.example", "Official support", "Ac\u200bme"])(
    "the name of an organization cannot become %j",
    async (name) => {
      const { status, body } = await rename(name);
      expect([status, errorCode(body)]).toEqual([400, "invalid_request"]);
    },
  );

  test("the name of an organization is rejected in invitations when it misleads and was never checked", async () => {
    await server.db
      .updateTable("organizations")
      .set({ name: "Security http://evil.example/login" })
      .where("id", "=", owner.organizationId)
      .execute();
    const refused = await invite();
    expect([refused.status, errorCode(refused.body)]).toEqual([409, "invitations.organization_name"]);
    await rename("Winter & Sons");
    expect((await invite()).status).toBe(201);
  });

  test("the name of an organization is not mailed by members whose address is not confirmed", async () => {
    await server.db.updateTable("users").set({ email_verified_at: null }).where("id", "=", owner.userId).execute();
    const refused = await invite();
    expect([refused.status, errorCode(refused.body)]).toEqual([403, "email_not_verified"]);
  });
});

describe("the profile of a member", () => {
  test("the profile of a member lists the permissions of their role in the current organization", async () => {
    const permissionsOf = async ({ token }: Account) =>
      ((await server.call("/api/auth/me", { token })).body as { permissions: string[] }).permissions;
    expect(await permissionsOf(owner)).toContain("manage_billing");
    await join(joe, "developer");
    await switchTo(joe, owner.organizationId);
    expect((await permissionsOf(joe)).toSorted()).toEqual(["call_models", "manage_applications", "manage_keys"]);
  });
});
