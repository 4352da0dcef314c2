import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { LOCKS } from "../platform/core/db/locks.ts";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../testing/server.ts";

let server: TestServer;
let admin: Account;
let user: Account;

beforeAll(async () => {
  server = await createTestServer();
  admin = await server.signInAdmin();
});
beforeEach(async () => {
  user = await server.signUp();
});
afterAll(() => server.close());

async function denials(actorId = user.userId) {
  await server.api.audit.denialLog.settled();
  const rows = await server.db
    .selectFrom("audit_log")
    .selectAll()
    .where("action", "=", "access.denied")
    .where("actor_user_id", "=", actorId)
    .orderBy("sequence")
    .execute();
  return rows.map(({ details, ...row }) => ({ ...row, ...(details as { operation: string; reason: string }) }));
}

async function addMember(role: string): Promise<void> {
  const other = await server.signUp();
  await server.db
    .updateTable("memberships")
    .set({ role })
    .where("user_id", "=", user.userId)
    .where("organization_id", "=", user.organizationId)
    .execute();
  await server.db
    .insertInto("memberships")
    .values({ user_id: other.userId, organization_id: user.organizationId, role: "admin", created_at: new Date() })
    .execute();
}

const refusals: [string, string, string, number, () => Promise<{ status: number }>][] = [
  [
    "an admin's call by somebody else",
    "admin.users.list",
    "not_an_admin",
    404,
    () => server.call("/api/admin/users", { token: user.token }),
  ],
  [
    "a call that a key lacks the scope for",
    "apiKeys.create",
    "key_scope_denied",
    403,
    async () => {
      const { secret } = await server.createKey(user, { scopes: ["api.access"] });
      return server.call("/api/api-keys", { token: secret, body: { name: "another" } });
    },
  ],
  [
    "a call that a member's role does not permit",
    "organization.update",
    "organization_permission_denied",
    403,
    async () => {
      await addMember("viewer");
      return server.call("/api/organization", { method: "PUT", token: user.token, body: { name: "Mine" } });
    },
  ],
  [
    "a write that another site made a browser send",
    "apiKeys.create",
    "cross_site_request",
    403,
    () =>
      server.call("/api/api-keys", {
        body: { name: "stolen" },
        headers: { cookie: `session=${user.token}`, "sec-fetch-site": "cross-site" },
      }),
  ],
  [
    "a key that is used from an address not on its list",
    "auth.me",
    "ip_not_allowed",
    403,
    async () => {
      const { secret } = await server.createKey(user, { ip_allowlist: ["203.0.113.0/24"] });
      return server.call("/api/auth/me", { token: secret });
    },
  ],
  [
    "a key that is switched off",
    "auth.me",
    "key_disabled",
    401,
    async () => {
      const { id, secret } = await server.createKey(user);
      await server.call(`/api/api-keys/${id}`, { method: "PUT", token: user.token, body: { disabled: true } });
      return server.call("/api/auth/me", { token: secret });
    },
  ],
  [
    "a key that has expired",
    "auth.me",
    "key_expired",
    401,
    async () => {
      const { id, secret } = await server.createKey(user);
      const past = new Date(Date.now() - 1_000);
      await server.db.updateTable("api_keys").set({ expires_at: past }).where("id", "=", id).execute();
      return server.call("/api/auth/me", { token: secret });
    },
  ],
];

test.each(refusals)(
  "%s is recorded with actor, credential, address and reason",
  async (_, operation, reason, status, act) => {
    expect((await act()).status).toBe(status);
    const credential = expect.stringMatching(/^(session|key):/);
    const ip = "127.0.0.1";
    expect(await denials()).toEqual([expect.objectContaining({ operation, reason, credential, ip })]);
  },
);

test("a denial during impersonation is recorded with admin and user", async () => {
  const path = `/api/admin/users/${user.userId}/impersonate`;
  const started = await server.call(path, { token: admin.token, body: { reason: "Ticket 41", password: PASSWORD } });
  const token = started.headers.get("x-session-token") ?? "";
  expect((await server.call("/api/api-keys", { token, body: { name: "mine" } })).status).toBe(403);
  const [row] = await denials();
  expect(row).toMatchObject({ reason: "impersonation_forbidden", impersonator_user_id: admin.userId });
});

test("equal denials share one row", async () => {
  const calls = Array.from({ length: 20 }, () => server.call("/api/admin/users", { token: user.token }));
  expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([404]));
  expect(await denials()).toHaveLength(1);
});

test("denials of anonymous callers are not recorded", async () => {
  const before = await server.db.selectFrom("audit_log").select("sequence").execute();
  for (const token of [undefined, "ses_not-a-session", `rc_${"0".repeat(64)}`])
    expect((await server.call("/api/api-keys", { token })).status).toBe(401);
  const headers = { cookie: "session=ses_not-a-session", "sec-fetch-site": "cross-site" };
  expect((await server.call("/api/api-keys", { body: { name: "mine" }, headers })).status).toBe(403);
  await server.api.audit.denialLog.settled();
  expect(await server.db.selectFrom("audit_log").select("sequence").execute()).toEqual(before);
});

test("allowed calls are not recorded as denials", async () => {
  expect((await server.call("/api/admin/users", { token: admin.token })).status).toBe(200);
  expect((await server.call("/api/api-keys/key_missing", { method: "DELETE", token: user.token })).status).toBe(404);
  expect([...(await denials()), ...(await denials(admin.userId))]).toEqual([]);
});

test("a denial is sent while its row waits for a lock on the audit log", async () => {
  await server.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCKS.auditLog})`.execute(trx);
    expect((await server.call("/api/admin/users", { token: user.token })).status).toBe(404);
  });
  expect(await denials()).toHaveLength(1);
});
