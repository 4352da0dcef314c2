import { createTestClock } from "@feather/testing/clock";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";
import { startMcpServer } from "./testing/mcp-server.ts";

const PATH = "/api/organization/tool-servers";
const URL_OF_DOCS = "https://mcp.example.com/mcp";
const SECRET = "Bearer secret-of-the-organization";
const clock = createTestClock("2026-05-01T12:00:00Z");
let server: TestServer;
let owner: Account;
let admin: Account;

beforeAll(async () => {
  server = await createTestServer({ clock, env: { FEATHER_OUTGOING_ALLOW: "127.0.0.1" } });
  admin = await server.signInAdmin();
  owner = await server.signUp();
});
afterEach(async () => {
  await server.db.deleteFrom("tool_servers").execute();
  await server.db.deleteFrom("api_keys").execute();
});
afterAll(() => server.close());

const list = async (account = owner, path = PATH) => (await server.call(path, { token: account.token })).body;
const set = (name: string, body: object, { token } = owner, path = PATH) =>
  server.call(`${path}/${name}`, { method: "PUT", token, body });
const remove = (name: string, { token } = owner, path = PATH) =>
  server.call(`${path}/${name}`, { method: "DELETE", token });
const askFor = async (name: string, { token } = owner) =>
  (await server.call(`${PATH}/${name}/tools`, { token })).body as {
    items: { name: string; is_allowed: boolean }[];
    problems: string[];
  };
const codeOf = ({ body }: { body: unknown }) => (JSON.parse((body as { data: string }).data) as { code: string }).code;
const withSecret = { url: URL_OF_DOCS, header_name: "Authorization", header_value: SECRET };

describe("the servers of tools of an organization", () => {
  test("are registered, changed and removed without showing their secret", async () => {
    const stored = {
      ...{ name: "docs", url: URL_OF_DOCS, header_name: "Authorization", is_secret_set: true, allowed_tools: null },
      ...{ is_enabled: true, updated_at: clock.now().toISOString() },
    };
    const made = await set("docs", withSecret);
    expect([made.status, made.body]).toMatchObject([200, stored]);
    expect(await list()).toMatchObject({ items: [stored] });
    const changed = await set("docs", { url: URL_OF_DOCS, allowed_tools: ["search"], is_enabled: false });
    const change = { header_name: null, is_secret_set: false, allowed_tools: ["search"], is_enabled: false };
    expect(changed.body).toMatchObject(change);
    expect((await remove("docs")).status).toBe(204);
    expect(await list()).toEqual({ items: [] });
    const { body } = await server.call("/api/organization/audit", { token: owner.token });
    const { items } = body as { items: { action: string; details: object }[] };
    expect(items.slice(0, 3).map(({ action }) => action)).toEqual([
      "tool_servers.delete",
      "tool_servers.set",
      "tool_servers.set",
    ]);
    expect(items[1]?.details).toMatchObject({ host: "mcp.example.com", allowed_tools: ["search"], is_enabled: false });
    expect(`${made.text}${changed.text}${JSON.stringify(body)}`).not.toContain(SECRET);
  });

  test("have their secrets encrypted in the database", async () => {
    await set("docs", withSecret);
    const row = await server.db.selectFrom("tool_servers").selectAll().executeTakeFirstOrThrow();
    expect(row.sealed_secret?.toString("latin1")).not.toContain(SECRET);
  });

  test("keep their secret for the same header at the same host only", async () => {
    await set("docs", withSecret);
    const kept = await set("docs", { url: "https://mcp.example.com/other", header_name: "authorization" });
    expect([kept.status, kept.body]).toMatchObject([
      200,
      { url: "https://mcp.example.com/other", is_secret_set: true },
    ]);
    for (const body of [
      { url: "https://elsewhere.example.com/mcp", header_name: "authorization" },
      { url: "https://mcp.example.com/mcp", header_name: "x-api-key" },
    ]) {
      const refused = await set("docs", body);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("header_value is missing")]);
    }
    expect(await list()).toMatchObject({ items: [{ url: "https://mcp.example.com/other", is_secret_set: true }] });
  });

  test.each([
    ["an address without TLS", { url: "http://mcp.example.com/mcp" }],
    ["an address with a password", { url: "https://user:pass@mcp.example.com/mcp" }],
    ["no address", { url: "mcp" }],
    ["a secret without a header", { url: URL_OF_DOCS, header_value: SECRET }],
    ["a header that the protocol sets", { url: URL_OF_DOCS, header_name: "Mcp-Session-Id", header_value: "x" }],
    ["a header of the connection", { url: URL_OF_DOCS, header_name: "host", header_value: "x" }],
    ["a header with a line break", { url: URL_OF_DOCS, header_name: "a\r\nb", header_value: "x" }],
    ["a secret with a line break", { url: URL_OF_DOCS, header_name: "a", header_value: "x\r\ny: z" }],
    ["no allowed tool", { url: URL_OF_DOCS, allowed_tools: [] }],
    ["an unknown field", { url: URL_OF_DOCS, headers: {} }],
  ])("are not registered with %s", async (_what, body) => {
    expect((await set("docs", body)).status).toBe(400);
    expect(await list()).toEqual({ items: [] });
  });

  test.each(["10.0.0.1", "169.254.169.254", "[::1]", "192.168.1.1"])(
    "are not registered at the private address %s",
    async (host) => {
      const refused = await set("docs", { url: `https://${host}/mcp` });
      expect(codeOf(refused)).toBe("outgoing.address_refused");
    },
  );

  test.each(["Docs", "a_b", "-a", "a".repeat(25), "feather"])("cannot have the name %s", async (name) => {
    expect((await set(name, { url: URL_OF_DOCS })).status).toBe(400);
  });

  test("are 20 at most, of which each can still be changed", async () => {
    for (let index = 0; index < 20; index++) expect((await set(`s${index}`, { url: URL_OF_DOCS })).status).toBe(200);
    const refused = await set("one-more", { url: URL_OF_DOCS });
    expect([refused.status, codeOf(refused)]).toEqual([409, "tool_servers.limit_reached"]);
    expect((await set("s0", { url: URL_OF_DOCS, is_enabled: false })).status).toBe(200);
    expect((await set("s0", { url: URL_OF_DOCS }, admin, "/api/admin/tool-servers")).status).toBe(200);
  });

  test("can neither be seen nor changed by members who are not admins, and not by other organizations", async () => {
    await set("docs", withSecret);
    const member = await server.signUp();
    const membership = { organization_id: owner.organizationId, user_id: member.userId, role: "editor" };
    await server.db.insertInto("memberships").values(membership).execute();
    const body = { organization_id: owner.organizationId };
    expect((await server.call("/api/organization/switch", { token: member.token, body })).status).toBe(200);
    for (const answer of [
      await server.call(PATH, { token: member.token }),
      await set("docs", { url: URL_OF_DOCS }, member),
      await remove("docs", member),
      await server.call(`${PATH}/docs/tools`, { token: member.token }),
    ])
      expect([answer.status, codeOf(answer)]).toEqual([403, "organization_permission_denied"]);
    const other = await server.signUp();
    expect(await list(other)).toEqual({ items: [] });
    expect(codeOf(await remove("docs", other))).toBe("tool_servers.not_found");
    expect(codeOf(await server.call(`${PATH}/docs/tools`, { token: other.token }))).toBe("tool_servers.not_found");
  });

  test("are changed by keys with the scope members.write and without limits", async () => {
    const without = await server.createKey(owner, { scopes: ["user.read", "tools.call"] });
    expect((await set("docs", { url: URL_OF_DOCS }, { ...owner, token: without.secret })).status).toBe(403);
    await server.db.deleteFrom("api_keys").execute();
    const limited = await server.createKey(owner, { scopes: ["members.write"], max_concurrency: 1 });
    expect(codeOf(await set("docs", { url: URL_OF_DOCS }, { ...owner, token: limited.secret }))).toBe(
      "api_keys.limited",
    );
    const key = await server.createKey(owner, { scopes: ["members.write"] });
    expect((await set("docs", { url: URL_OF_DOCS }, { ...owner, token: key.secret })).status).toBe(200);
  });

  test("go with the organization", async () => {
    const leaving = await server.signUp();
    await set("docs", withSecret, leaving);
    const gone = { method: "DELETE", token: leaving.token, body: { password: PASSWORD } };
    expect((await server.call("/api/account", gone)).status).toBeLessThan(300);
    expect(await server.db.selectFrom("tool_servers").select("id").execute()).toEqual([]);
  });
});

describe("a server of tools that is asked for its tools", () => {
  test("shows them with those that are not allowed, and names those that it lacks", async () => {
    const { address } = await startMcpServer();
    await set("sums", { url: address, allowed_tools: ["add", "subtract"], is_enabled: false });
    const { items, problems } = await askFor("sums");
    expect(items.map(({ name, is_allowed }) => [name, is_allowed])).toEqual([
      ["add", true],
      ["fail", false],
    ]);
    expect(items[0]).toMatchObject({ title: "Add", input_schema: { required: ["a", "b"] } });
    expect(problems).toEqual(["It has no tool subtract, which is allowed."]);
  });

  test("gets its secret", async () => {
    const { address } = await startMcpServer({ secret: SECRET });
    await set("sums", { url: address, header_name: "Authorization", header_value: SECRET });
    expect((await askFor("sums")).problems).toEqual([]);
    await set("sums", { url: address, header_name: "Authorization", header_value: "Bearer wrong" });
    expect(await askFor("sums")).toEqual({ items: [], problems: ["It refused the credentials (status 401)."] });
  });

  test("whose secret was lost with the secret of the installation is not asked without it", async () => {
    const { address, requests } = await startMcpServer();
    await set("sums", { url: address, header_name: "Authorization", header_value: SECRET });
    await server.db.updateTable("tool_servers").set({ sealed_secret: null }).execute();
    expect((await askFor("sums")).problems).toEqual(["Its secret is missing. An admin has to set it again."]);
    expect(requests).toEqual([]);
  });
});

describe("the servers of tools for everybody", () => {
  const ADMIN_PATH = "/api/admin/tool-servers";

  test("are managed by admins of the platform, and are none of their organization", async () => {
    expect((await set("docs", withSecret, admin, ADMIN_PATH)).body).toMatchObject({
      name: "docs",
      is_secret_set: true,
    });
    expect(await list(admin, ADMIN_PATH)).toMatchObject({ items: [{ name: "docs" }] });
    expect(await list(admin)).toEqual({ items: [] });
    expect((await remove("docs", admin, ADMIN_PATH)).status).toBe(204);
    expect(codeOf(await remove("docs", admin, ADMIN_PATH))).toBe("tool_servers.not_found");
  });

  test("do not exist for others", async () => {
    expect((await server.call(ADMIN_PATH, { token: owner.token })).status).toBe(404);
    expect((await set("docs", withSecret, owner, ADMIN_PATH)).status).toBe(404);
  });

  test("show admins the tools that they have", async () => {
    const { address } = await startMcpServer();
    await set("sums", { url: address }, admin, ADMIN_PATH);
    const { body } = await server.call(`${ADMIN_PATH}/sums/tools`, { token: admin.token });
    expect(body).toMatchObject({ items: [{ name: "add", is_allowed: true }, { name: "fail" }], problems: [] });
  });
});
