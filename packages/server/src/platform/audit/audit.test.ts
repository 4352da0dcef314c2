import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createTestClock } from "@feather/testing/clock";
import { fc } from "@feather/testing/properties";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";
import { verifyAudit } from "./audit-verification.ts";

const COMMAND = fileURLToPath(new URL("../../commands/verify-audit.ts", import.meta.url));
const clock = createTestClock();
let server: TestServer;
let user: Account;

beforeAll(async () => {
  server = await createTestServer({ clock });
});
beforeEach(async () => {
  user = await server.signUp();
  await asSuperuser("truncate audit_log"); // signing up stands in it too
});
afterAll(() => server.close());

/** Changes the log as only the owner of the database can: without the trigger. */
async function asSuperuser(statement: string): Promise<void> {
  await server.db.connection().execute(async (connection) => {
    await sql`set session_replication_role = replica`.execute(connection);
    await sql.raw(statement).execute(connection);
    await sql`set session_replication_role = default`.execute(connection);
  });
}

async function record(count: number): Promise<void> {
  for (let index = 1; index <= count; index++)
    await server.api.audit.record({
      userId: user.userId,
      organizationId: user.organizationId,
      action: "things.create",
      target: `thing_${index}`,
      ip: "203.0.113.9",
      details: { index, nested: { b: [1, null, "two"], a: 1.5 } },
    });
}

const rows = () => server.db.selectFrom("audit_log").selectAll().orderBy("sequence").execute();
const read = async (path: string, token: string) => {
  const { status, body } = await server.call(path, { token });
  expect(status).toBe(200);
  return (body as { items: { id: number; action: string; target: string; actor_id: string }[] }).items;
};

describe("the hash chain", () => {
  test("the hash chain of the audit log is valid for rows that were written one after the other", async () => {
    expect(await verifyAudit(server.db)).toMatchObject({ isValid: true, rows: 0 });
    await record(3);
    const all = await rows();
    expect(all.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(all[1]?.previous_hash).toEqual(all[0]?.hash);
    expect(await verifyAudit(server.db)).toEqual({ isValid: true, rows: 3, lastHash: all[2]?.hash.toString("hex") });
  });

  test("the hash chain of the audit log is valid after a hundred concurrent events of which some were rolled back", async () => {
    const act = { userId: user.userId, action: "things.create" };
    const attempts = Array.from({ length: 100 }, (_none, index) =>
      server.db
        .transaction()
        .execute(async (trx) => {
          await server.api.audit.record(act, trx);
          if (index % 4 === 0) throw new Error("taken back");
        })
        .catch(() => {}),
    );
    await Promise.all(attempts);
    expect(await verifyAudit(server.db)).toMatchObject({ isValid: true, rows: 75 });
  });

  test("the hash chain of the audit log is valid for any details", async () => {
    const details = fc.dictionary(
      fc
        .string({ unit: "binary", minLength: 1 })
        .filter((name) => name !== "__proto__" && !/[\0\uD800-\uDFFF]/.test(name)),
      fc.jsonValue({ stringUnit: "binary" }),
    );
    await fc.assert(
      fc.asyncProperty(details, async (given) => {
        await server.api.audit.record({ userId: null, action: "things.create", details: given });
      }),
      { seed: 7, numRuns: 100, examples: [[{ a: "\0", b: "\uD800", c: -0, d: 1e21, e: 1e-7, f: "é" }]] },
    );
    expect(await verifyAudit(server.db)).toMatchObject({ isValid: true, rows: 100 });
  });

  test.each([
    ["another action", 3, "update audit_log set action = 'things.delete' where sequence = 3", "was changed"],
    ["another actor", 2, "update audit_log set actor_user_id = 'usr_other' where sequence = 2", "was changed"],
    ["an actor taken out", 2, "update audit_log set actor_user_id = null where sequence = 2", "was changed"],
    ["another time", 4, "update audit_log set at = at - interval '1 ms' where sequence = 4", "was changed"],
    ["other details", 5, `update audit_log set details = '{"index":6}' where sequence = 5`, "was changed"],
    ["another hash", 3, "update audit_log set hash = sha256('x') where sequence = 3", "was changed"],
    ["another hash before", 3, "update audit_log set previous_hash = hash where sequence = 3", "does not follow"],
    ["a row taken out", 2, "delete from audit_log where sequence = 2", "is missing"],
    ["the first row taken out", 1, "delete from audit_log where sequence = 1", "is missing"],
    [
      "a row taken out and the rest moved up",
      2,
      "delete from audit_log where sequence = 2; update audit_log set sequence = sequence - 1 where sequence > 2",
      "does not follow",
    ],
    [
      "two rows exchanged",
      2,
      "update audit_log set sequence = 100 where sequence = 2; update audit_log set sequence = 2 where sequence = 3; update audit_log set sequence = 3 where sequence = 100",
      "does not follow",
    ],
    [
      "a row slipped in",
      6,
      "insert into audit_log select 6, 'aud_x', at, action, actor_user_id, null, organization_id, null, 'thing_6', ip, details, hash, sha256('x') from audit_log where sequence = 5",
      "was changed",
    ],
  ])("the hash chain of the audit log shows %s", async (_what, sequence, statement, reason) => {
    await record(5);
    await asSuperuser(statement);
    expect(await verifyAudit(server.db)).toMatchObject({
      isValid: false,
      sequence,
      reason: expect.stringContaining(reason),
    });
  });

  test("the hash chain of the audit log reveals rows removed from the end if the last row is known", async () => {
    await record(5);
    const noted = { sequence: 5, hash: (await rows())[4]?.hash.toString("hex") ?? "" };
    expect(await verifyAudit(server.db, noted)).toMatchObject({ isValid: true });
    await asSuperuser("delete from audit_log where sequence = 5");
    expect(await verifyAudit(server.db, noted)).toMatchObject({ isValid: false, sequence: 5 });
    await record(1);
    expect(await verifyAudit(server.db, noted)).toMatchObject({ isValid: false, sequence: 5 });
    expect(await verifyAudit(server.db)).toMatchObject({ isValid: true, rows: 5 });
  });

  test.each(["update audit_log set action = 'x'", "delete from audit_log", "truncate audit_log"])(
    "the hash chain of the audit log cannot be changed by the server: %s",
    async (statement) => {
      await record(1);
      await expect(sql.raw(statement).execute(server.db)).rejects.toThrow("append-only");
    },
  );
});

describe("verify-audit", () => {
  const run = (...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      execFile(process.execPath, [COMMAND, ...args], { env: environment() }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      );
    });
  let database = "";
  beforeAll(async () => {
    const {
      rows: [row],
    } = await sql<{ name: string }>`select current_database() as name`.execute(server.db);
    database = row?.name ?? "";
  });
  const environment = () => {
    const { user: name, host } = inject("postgres");
    return {
      PATH: process.env.PATH,
      DATABASE_URL: `postgres://${name}@localhost/${database}?host=${encodeURIComponent(host)}`,
    };
  };

  test("verify-audit exits with 0 and the last row of a valid log, and with 1 and the first broken row otherwise", async () => {
    await record(3);
    const whole = await run();
    const last = (await rows())[2]?.hash.toString("hex");
    expect(whole).toEqual({ code: 0, out: `The audit log is whole: 3 rows.\n3:${last}\n`, err: "" });
    expect((await run("--noted", `3:${last}`)).code).toBe(0);
    await asSuperuser("update audit_log set target = 'x' where sequence = 2");
    expect(await run()).toEqual({ code: 1, out: "The audit log is broken: row 2 was changed.\n", err: "" });
  });

  test("verify-audit prints its usage and rejects unknown arguments", async () => {
    const help = await run("--help");
    expect([help.code, help.out]).toEqual([0, expect.stringContaining("DATABASE_URL")]);
    expect((await run("--fix")).code).toBe(2);
    expect(await run("--noted", "3")).toMatchObject({ code: 2, err: expect.stringContaining("<row>:<hash>") });
  });
});

describe("reading the log", () => {
  test.each([
    ["an action", "action=things.create", 3],
    ["a kind of action", "action=things", 3],
    ["a part of a word, which is none", "action=thing", 0],
    ["a wildcard, which is none", "action=thing_", 0],
    ["a target", "target=thing_2", 1],
    ["a day", "from_date=2026-03-01&to_date=2026-03-01", 3],
    ["an earlier day", "to_date=2026-02-28", 0],
    ["a later day", "from_date=2026-03-02", 0],
  ])("the audit log can be filtered by %s", async (_what, query, count) => {
    const admin = await server.signInAdmin();
    await record(3);
    const items = await read(`/api/admin/audit?${query}`, admin.token);
    expect(items.filter(({ action }) => action === "things.create")).toHaveLength(count);
  });

  test("the audit log can be filtered by actor and organization, newest first, in pages", async () => {
    const admin = await server.signInAdmin();
    await asSuperuser("truncate audit_log");
    await record(3);
    const byUser = await read(`/api/admin/audit?actor_id=${user.userId}&perPage=2`, admin.token);
    expect(byUser.map(({ target }) => target)).toEqual(["thing_3", "thing_2"]);
    expect(await read(`/api/admin/audit?organization_id=${user.organizationId}`, admin.token)).toHaveLength(3);
    expect(await read("/api/admin/audit?organization_id=org_none", admin.token)).toEqual([]);
  });

  test("the audit log shows an organization's admins only its own events", async () => {
    const stranger = await server.signUp();
    await record(2);
    const items = await read("/api/organization/audit", user.token);
    expect(items.map(({ target }) => target)).toEqual(["thing_2", "thing_1"]);
    expect(await read(`/api/organization/audit?actor_id=${user.userId}`, stranger.token)).toEqual([]);
    expect(
      (await server.call(`/api/organization/audit?organization_id=${user.organizationId}`, { token: stranger.token }))
        .text,
    ).not.toContain("thing_1");
  });

  test("the audit log returns the names of actor, organization and target that still exist", async () => {
    const admin = await server.signInAdmin();
    const key = await server.createKey(user, { name: "production" });
    await record(1);
    await server.api.audit.record({ userId: "usr_gone", action: "things.create", target: "key_gone" });
    const [gone, thing, made] = await read("/api/admin/audit", admin.token);
    const who = { id: user.userId, email: user.email };
    expect(made).toMatchObject({
      action: "api_keys.create",
      target: key.id,
      target_name: "production",
      actor: who,
      subject: null,
      organization: { id: user.organizationId },
    });
    expect(thing).toMatchObject({ target_name: null, actor: who });
    expect(gone).toMatchObject({ actor: null, actor_id: "usr_gone", target_name: null, organization: null });
  });

  test("the audit log hides from an organization which platform admin acted as its member, but not from admins", async () => {
    const admin = await server.signInAdmin();
    const actor = {
      kind: "user" as const,
      userId: user.userId,
      organizationId: user.organizationId,
      role: "admin" as const,
      isAdmin: false,
      emailVerified: true,
      scopes: [],
      ip: "203.0.113.9",
      credential: { type: "session" as const, id: "ses_1", impersonatedBy: admin.userId },
    };
    await server.api.audit.record({ actor, action: "things.create" });
    const [shown] = await read("/api/admin/audit?action=things.create", admin.token);
    expect(shown).toMatchObject({ actor: { id: admin.userId, email: admin.email }, subject: { id: user.userId } });
    const [kept] = await read("/api/organization/audit?action=things.create", user.token);
    expect(kept).toMatchObject({ actor: null, ip: null, subject: { id: user.userId } });
    expect(JSON.stringify(kept)).not.toContain(admin.email);
  });

  test("the audit log shows events of the platform to admins, not to members of their organization", async () => {
    const admin = await server.signInAdmin();
    const body = { name: "Moved" };
    await server.call("/api/organization", { method: "PUT", token: admin.token, body });
    await server.call(`/api/admin/users/${user.userId}`, {
      method: "PUT",
      token: admin.token,
      body: { email_verified: true, password: PASSWORD },
    });
    const own = await read("/api/organization/audit", admin.token);
    expect(own.map(({ action }) => action)).toContain("organization.update");
    expect(own.map(({ action }) => action)).not.toContain("users.update");
    expect(await read(`/api/admin/audit?action=users.update&target=${user.userId}`, admin.token)).toHaveLength(1);
  });

  test.each(["from_date=soon", "from_date=2026-02-02&to_date=2026-01-01", "action=A%20B", "perPage=1000"])(
    "reading the audit log rejects the query %s",
    async (query) => {
      expect((await server.call(`/api/organization/audit?${query}`, { token: user.token })).status).toBe(400);
    },
  );
});
