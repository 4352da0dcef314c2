import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DAY_MS } from "../../platform/core/time.ts";
import { type Application, CALLBACK_URL, CLI_CLIENT_ID, createOAuthClient, errorOf } from "../../testing/oauth.ts";
import { listMessages } from "../../testing/outbox.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const clock = createTestClock();
const ROOST = { name: "Roost", redirect_uris: [CALLBACK_URL], scopes: ["user.read"] };
let server: TestServer;
let oauth: ReturnType<typeof createOAuthClient>;
let owner: Account;
let admin: Account;

beforeAll(async () => {
  server = await createTestServer({ clock });
  oauth = createOAuthClient(server);
  admin = await server.signInAdmin();
});
beforeEach(async () => {
  owner = await server.signUp();
});
afterAll(() => server.close());

const create = (fields: object, by = owner) =>
  server.call("/api/application", { token: by.token, body: { ...ROOST, ...fields } });
const get = (id: string, by = owner) => server.call(`/api/application/${id}`, { token: by.token });
const update = (id: string, body: object, by = owner) =>
  server.call(`/api/application/${id}`, { method: "PUT", token: by.token, body });
const setStatus = (id: string, status: string, by = owner) =>
  server.call(`/api/application/${id}/status`, { method: "PUT", token: by.token, body: { status } });
const regenerate = (id: string, by = owner) =>
  server.call(`/api/application/${id}/regenerate-secret`, { method: "POST", token: by.token });
const remove = (id: string, by = owner) => server.call(`/api/application/${id}`, { method: "DELETE", token: by.token });
const setRole = (user: Account, role: string) =>
  server.db.updateTable("memberships").set({ role }).where("user_id", "=", user.userId).execute();

describe("registering an application", () => {
  test("registering an application returns the secret only once", async () => {
    const { status, body, headers } = await create({
      name: "  Roost ",
      description: "A chat program.",
      homepage_url: "https://roost.example",
      logo_url: "https://roost.example/logo.png",
    });
    const { client_secret, ...shown } = body as Application & { id: string };
    expect([status, headers.get("cache-control")]).toEqual([201, "no-store"]);
    expect(client_secret).toMatch(/^secret_\w{49}$/);
    expect(shown).toEqual({
      ...ROOST,
      id: expect.stringMatching(/^app_\w{22}$/),
      description: "A chat program.",
      homepage_url: "https://roost.example",
      logo_url: "https://roost.example/logo.png",
      client_type: "confidential",
      device_flow: false,
      status: "active",
      verified: false,
      owner: { id: owner.organizationId, name: expect.any(String) },
      created_at: clock.now().toISOString(),
    });
    expect((await get(shown.id)).body).toEqual(shown);
    const row = await server.db.selectFrom("applications").selectAll().where("id", "=", shown.id).executeTakeFirst();
    expect(JSON.stringify(row)).not.toContain(client_secret?.slice(7, -6));
  });

  test("registering a public application returns no secret", async () => {
    const { body } = await create({ client_type: "public" });
    expect(body).toMatchObject({ client_type: "public", client_secret: null });
  });

  test.each([
    "http://roost.example/callback",
    "https://roost.example/callback#part",
    "https://user:pass@roost.example/callback",
    "https://roost.example/call back",
    "https://roost.example\\@evil.example",
    "https://roost.example/\u0000",
    "https://r\u043e\u043est.example/",
    "https://roost.example/callback?code=1",
    "https://roost.example/callback?state=1",
    "https://roost.example/callback?a=1&error=1",
    "https://",
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://roost.example",
    "com.roost.app:/callback",
    "http://192.168.1.2/callback",
    "http://127.0.0.1.evil.example/callback",
    "http://127.0.0.1:99999/callback",
    "http://localhost@evil.example/",
    "",
  ])("registering an application with the redirect URI %j is rejected and creates nothing", async (uri) => {
    const answer = await create({ redirect_uris: [CALLBACK_URL, uri] });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("redirect_uris");
    expect((await server.call("/api/application", { token: owner.token })).body).toEqual({ items: [] });
  });

  test.each([
    "http://localhost:3000/callback",
    "http://127.0.0.1/callback",
    "http://[::1]:8080/",
    "https://a.b/c?d=e",
    "https://intranet:8443/callback",
    "https://xn--mnchen-3ya.example./callback;v=1?d=[e]",
    "https://192.168.1.2:65535?a",
    "https://[2001:db8::5]/callback",
  ])("registering an application accepts the redirect URI %s", async (uri) => {
    expect((await create({ redirect_uris: [uri] })).status).toBe(201);
  });

  test.each([
    ["no name", { name: undefined }],
    ["a blank name", { name: "   " }],
    ["a name too long", { name: "x".repeat(65) }],
    ["a name written backwards", { name: "Roost\u202egnp.exe" }],
    ["the name of the platform", { name: "Feather CLI" }],
    ["a name that claims to be official", { name: "Official Roost" }],
    ["a name with hidden characters", { name: "Fea\u200bther" }],
    ["a name with a line break", { name: "Roost\nVerified by Feather" }],
    ["a name with a NUL", { name: "Ro\u0000ost" }],
    ["no redirect address", { redirect_uris: [] }],
    ["eleven redirect addresses", { redirect_uris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`) }],
    ["an unknown scope", { scopes: ["everything"] }],
    ["the scope of admins", { scopes: ["admin"] }],
    ["a scope twice", { scopes: ["user.read", "user.read"] }],
    ["a homepage that runs", { homepage_url: "javascript:alert(1)" }],
    ["a logo that is data", { logo_url: "data:image/svg+xml,x" }],
    ["a type of its own", { client_type: "trusted" }],
    ["a status of its own", { status: "active" }],
    ["an organization of its own", { organization_id: "org_other" }],
    ["a secret of its own", { client_secret: "secret_x" }],
    ["another id", { id: "app_feather_cli" }],
  ])("registering an application rejects %s", async (_what, fields) => {
    expect((await create(fields)).status).toBe(400);
    expect((await server.call("/api/application", { token: owner.token })).body).toEqual({ items: [] });
  });

  test("an organization is limited to a hundred applications", async () => {
    const rows = Array.from({ length: 99 }, (_, index) => ({
      id: `app_${owner.userId}_${index}`,
      organization_id: owner.organizationId,
      name: "x",
      redirect_uris: [CALLBACK_URL],
      scopes: [],
      client_type: "public",
      status: "active",
    }));
    await server.db.insertInto("applications").values(rows).execute();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({})));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201).map(({ body }) => errorCode(body))).toEqual(
      Array.from({ length: 7 }, () => "applications.limit_reached"),
    );
  });

  test("registering an application happens once when it is repeated with the same idempotency key", async () => {
    const send = () =>
      server.call("/api/application", { token: owner.token, body: ROOST, headers: { "idempotency-key": "k1" } });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect((await server.call("/api/application", { token: owner.token })).body).toMatchObject({ items: [{}] });
  });

  test("registering an application is allowed for developers and above", async () => {
    await setRole(owner, "viewer");
    const answer = await create({});
    expect([answer.status, errorCode(answer.body)]).toEqual([403, "organization_permission_denied"]);
    await setRole(owner, "developer");
    expect((await create({})).status).toBe(201);
  });
});

describe("an application", () => {
  let app: Application;
  beforeEach(async () => {
    app = (await create({})).body as Application;
  });

  test("an application is listed with the others, newest first", async () => {
    clock.at += 1_000;
    const second = (await create({ name: "Second" })).body as Application;
    const { body } = await server.call("/api/application", { token: owner.token });
    expect((body as { items: Application[] }).items.map(({ id }) => id)).toEqual([second.id, app.id]);
  });

  test("an application changes the given fields and nothing else", async () => {
    const before = (await get(app.id)).body as object;
    const { status, body } = await update(app.id, { name: " New ", scopes: ["api.access"] });
    expect([status, body]).toEqual([200, { ...before, name: "New", scopes: ["api.access"] }]);
    expect((await update(app.id, {})).body).toEqual(body);
  });

  test.each([
    [{ redirect_uris: ["http://roost.example"] }],
    [{ redirect_uris: [`${CALLBACK_URL}#x`] }],
    [{ redirect_uris: [] }],
    [{ name: "\u200b" }],
    [{ client_type: "public" }],
    [{ status: "active" }],
  ])("an application is not changed to %j", async (change) => {
    const before = (await get(app.id)).body;
    expect((await update(app.id, change)).status).toBe(400);
    expect((await get(app.id)).body).toEqual(before);
  });

  test("an application no longer accepts an old redirect address", async () => {
    await update(app.id, { redirect_uris: ["https://roost.example/new"] });
    expect(errorOf(await oauth.authorize(owner, app.id))).toEqual([400, "invalid_request"]);
  });

  test.each<[string, (id: string, by: Account) => Promise<{ status: number }>]>([
    ["read", (id, by) => get(id, by)],
    ["changed", (id, by) => update(id, { name: "Mine" }, by)],
    ["switched", (id, by) => setStatus(id, "inactive", by)],
    ["given a new secret", (id, by) => regenerate(id, by)],
    ["deleted", (id, by) => remove(id, by)],
  ])("an application cannot be %s by others, and neither can one that does not exist", async (_what, act) => {
    const other = await server.signUp();
    const before = (await get(app.id)).body;
    expect((await act(app.id, other)).status).toBe(404);
    expect((await act("app_nobody", owner)).status).toBe(404);
    expect((await act(CLI_CLIENT_ID, owner)).status).toBe(404);
    expect((await get(app.id)).body).toEqual(before);
  });

  test("an application loses its grants and tokens when it is deleted", async () => {
    const user = await server.signUp();
    const { access_token } = await oauth.tokensFor(user, app);
    expect((await remove(app.id)).status).toBe(204);
    expect((await get(app.id)).status).toBe(404);
    expect((await oauth.userinfo(access_token)).status).toBe(401);
    expect((await server.call("/api/account/authorizations", { token: user.token })).body).toEqual({ items: [] });
    expect((await remove(app.id)).status).toBe(404);
  });

  test("an application has every change recorded in the audit log, without secrets", async () => {
    await update(app.id, { name: "New" });
    await setStatus(app.id, "inactive");
    const { body } = await regenerate(app.id);
    await remove(app.id);
    const rows = await server.db
      .selectFrom("audit_log")
      .selectAll()
      .where("target", "=", app.id)
      .orderBy("sequence")
      .execute();
    expect(rows.map(({ action }) => action.replace("applications.", ""))).toEqual([
      ...["create", "update", "set_status", "regenerate_secret", "delete"],
    ]);
    for (const secret of [app.client_secret, (body as Application).client_secret])
      expect(JSON.stringify(rows)).not.toContain(secret?.slice(7, -6));
  });
});

describe("a new secret", () => {
  let app: Application;
  beforeEach(async () => {
    app = (await create({})).body as Application;
  });
  const accepts = async (secret: string | null) => {
    const answer = await oauth.revoke({ id: app.id, client_secret: secret }, "x");
    return answer.status === 200;
  };
  const renewed = async () => ((await regenerate(app.id)).body as Application).client_secret;

  test("a new secret of an application works at once, while the old one stays valid for a day", async () => {
    const { body, headers } = await regenerate(app.id);
    const { client_secret } = body as Application;
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toMatchObject({ old_secret_valid_until_at: new Date(clock.at + DAY_MS).toISOString() });
    expect(client_secret).not.toBe(app.client_secret);
    expect([await accepts(client_secret), await accepts(app.client_secret)]).toEqual([true, true]);
    clock.at += DAY_MS - 1;
    expect(await accepts(app.client_secret)).toBe(true);
    clock.at += 1;
    expect([await accepts(client_secret), await accepts(app.client_secret)]).toEqual([true, false]);
  });

  test("creating a second new secret of an application ends the first one at once", async () => {
    const second = await renewed();
    const third = await renewed();
    expect([await accepts(app.client_secret), await accepts(second), await accepts(third)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("a new secret cannot be created for a public application", async () => {
    const other = (await create({ client_type: "public" })).body as Application;
    const answer = await regenerate(other.id);
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "applications.public"]);
  });
});

describe("the status of an application", () => {
  let app: Application;
  beforeEach(async () => {
    app = (await create({})).body as Application;
  });

  test("the status of an application can be switched by owners between active and inactive", async () => {
    expect((await setStatus(app.id, "inactive")).body).toMatchObject({ id: app.id, status: "inactive" });
    expect((await setStatus(app.id, "active")).body).toMatchObject({ status: "active" });
  });

  test.each(["pending", "suspended", "rejected"])(
    "the application status %s can be set by admins only",
    async (status) => {
      const answer = await setStatus(app.id, status);
      expect([answer.status, errorCode(answer.body)]).toEqual([403, "applications.status_denied"]);
      expect((await setStatus(app.id, status, admin)).status).toBe(200);
      const back = await setStatus(app.id, "active");
      expect([back.status, errorCode(back.body)]).toEqual([409, "applications.not_yours_to_switch"]);
    },
  );

  test.each(["deleted", "", null, 1])("rejects the unknown application status %j", async (status) => {
    expect((await setStatus(app.id, status as string)).status).toBe(400);
  });

  test("the status of an application is mailed to the person who registered the application when an admin sets it", async () => {
    await setStatus(app.id, "suspended", admin);
    const messages = await listMessages(server, owner.email, "application_reviewed");
    expect(messages).toMatchObject([{ subject: "Your application Roost", body: expect.stringContaining("suspended") }]);
  });

  test("the status of an application cannot be set by an admin with an API key", async () => {
    const key = await server.createKey(admin, { scopes: ["user.read", "keys.write"] });
    const { status } = await setStatus(app.id, "suspended", { ...admin, token: key.secret });
    expect(status).toBe(404);
  });
});

describe("the admins' list of applications", () => {
  const listed = async (query: string, by = admin) => {
    const { status, body } = await server.call(`/api/admin/applications?${query}`, { token: by.token });
    const { items = [], pagination } = body as { items?: Application[]; pagination?: { total_items: number } };
    return { status, ids: items.map(({ id }) => id), total: pagination?.total_items };
  };

  test("the admins' list of applications contains and finds the applications of all organizations", async () => {
    const app = (await create({ name: `Nest 100% ${owner.userId}` })).body as Application;
    clock.at += 1_000;
    const hidden = (await create({ client_type: "public", name: "Other" })).body as Application;
    const organization = `organization_id=${owner.organizationId}`;
    expect(await listed(organization)).toEqual({
      status: 200,
      ids: expect.arrayContaining([app.id, hidden.id]),
      total: 2,
    });
    expect((await listed(`search=${encodeURIComponent(`100% ${owner.userId}`.toUpperCase())}`)).ids).toEqual([app.id]);
    expect((await listed(`search=${app.id}`)).ids).toEqual([app.id]);
    expect((await listed(`${organization}&client_type=public`)).ids).toEqual([hidden.id]);
    expect((await listed(`${organization}&status=pending`)).ids).toEqual([]);
    expect(await listed(`${organization}&perPage=1&page=2`)).toEqual({ status: 200, ids: [app.id], total: 2 });
    expect((await listed("search=%25")).ids).not.toContain(hidden.id);
  });

  test("the admins' list of applications contains those of the platform itself, which have no owner", async () => {
    const { body } = await server.call(`/api/admin/applications?search=${CLI_CLIENT_ID}`, { token: admin.token });
    expect((body as { items: object[] }).items).toEqual([expect.objectContaining({ id: CLI_CLIENT_ID, owner: null })]);
  });

  test.each(["status=unknown", "client_type=x", "page=0", `search=${"x".repeat(201)}`])(
    "the admins' list of applications cannot ask for %s",
    async (query) => {
      expect((await listed(query)).status).toBe(400);
    },
  );

  test.each(["foo=1", "name=x", "id=x", "secret_hash=x", "created_by=usr_1"])(
    "the admins' list of applications filters by nothing that the contract does not name: %s",
    async (query) => {
      const all = await listed(`organization_id=${owner.organizationId}`);
      expect(await listed(`organization_id=${owner.organizationId}&${query}`)).toEqual(all);
    },
  );

  test("the admins' list of applications is for admins only", async () => {
    expect((await listed("", owner)).status).toBe(404);
  });
});

describe("the verification of an application", () => {
  const isVerified = async (id: string) => ((await get(id)).body as { verified: boolean }).verified;

  test("the verification of an application is given by an admin's approval, and lost when what users see of the application changes", async () => {
    const { id } = (await create({})).body as Application;
    expect(await isVerified(id)).toBe(false);
    await setStatus(id, "active", admin);
    expect(await isVerified(id)).toBe(true);
    await setStatus(id, "inactive");
    await setStatus(id, "active");
    expect(await isVerified(id)).toBe(true);
    await update(id, { redirect_uris: [CALLBACK_URL, "https://other.example/callback"] });
    expect(await isVerified(id)).toBe(false);
  });

  test("the verification of an application cannot be given by an owner", async () => {
    const { id } = (await create({})).body as Application;
    await setStatus(id, "inactive");
    await setStatus(id, "active");
    expect(await isVerified(id)).toBe(false);
  });
});

describe("where new applications are reviewed", () => {
  let reviewed: TestServer;
  let reviewer: Account;
  let developer: Account;
  let app: Application;
  beforeAll(async () => {
    reviewed = await createTestServer({ clock, env: { FEATHER_APPLICATION_REVIEW: "on" } });
    reviewer = await reviewed.signInAdmin();
  });
  beforeEach(async () => {
    developer = await reviewed.signUp();
    app = await createOAuthClient(reviewed).register(developer);
  });
  afterAll(() => reviewed.close());

  const set = (status: string, by: Account) =>
    reviewed.call(`/api/application/${app.id}/status`, { method: "PUT", token: by.token, body: { status } });
  const change = async (body: object, by = developer) => {
    const answer = await reviewed.call(`/api/application/${app.id}`, { method: "PUT", token: by.token, body });
    return (answer.body as Application).status;
  };

  test("where new applications are reviewed, a new one stays pending and its owner cannot activate it", async () => {
    expect(app.status).toBe("pending");
    expect((await set("active", developer)).status).toBe(409);
    expect(errorOf(await createOAuthClient(reviewed).authorize(developer, app.id))).toEqual([
      400,
      "unauthorized_client",
    ]);
    expect((await set("active", reviewer)).body).toMatchObject({ status: "active" });
    expect((await createOAuthClient(reviewed).authorize(developer, app.id)).status).toBe(200);
  });

  test.each([
    [{ name: "Roost support" }],
    [{ description: "Approved by Feather" }],
    [{ homepage_url: "https://feather.example" }],
    [{ logo_url: "https://feather.example/logo.png" }],
    [{ redirect_uris: [CALLBACK_URL, "https://evil.example/callback"] }],
    [{ scopes: ["user.read", "api.access", "user.write"] }],
  ])("a reviewed application that changes %j waits again, also where it was switched off", async (body) => {
    await set("active", reviewer);
    expect(await change(body)).toBe("pending");
    await set("active", reviewer);
    await set("inactive", developer);
    expect(await change({ name: `Roost ${Object.keys(body)[0]}` })).toBe("pending");
    expect((await set("active", developer)).status).toBe(409);
  });

  test("a reviewed application that requests fewer scopes, or changes nothing, stays active", async () => {
    await set("active", reviewer);
    expect(await change({ scopes: ["user.read"], name: "Roost", redirect_uris: [CALLBACK_URL] })).toBe("active");
  });

  test("a suspended application stays suspended, whatever changes", async () => {
    await set("suspended", reviewer);
    expect(await change({ name: "Another" })).toBe("suspended");
  });
});
