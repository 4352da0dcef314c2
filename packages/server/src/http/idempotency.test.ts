import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOUR_MS } from "../platform/core/time.ts";
import { createServer } from "../server.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

const clock = createTestClock("2026-05-01T12:00:00Z");
let server: TestServer;
let user: Account;

beforeAll(async () => {
  server = await createTestServer({ clock });
  user = await server.signUp();
  await server.db.updateTable("plans").set({ api_keys_max: 1_000 }).execute();
});
afterAll(() => server.close());

const create = (key: string, name = "ci", token = user.token) =>
  server.call("/api/api-keys", { token, body: { name }, headers: { "idempotency-key": key } });
const count = async () => {
  const { body } = await server.call("/api/api-keys?perPage=1", { token: user.token });
  return (body as { pagination: { total_items: number } }).pagination.total_items;
};
async function countOf(table: "api_keys" | "applications" | "invitations", owner: Account): Promise<number> {
  const rows = await server.db
    .selectFrom(table)
    .select("id")
    .where("organization_id", "=", owner.organizationId)
    .execute();
  return rows.length;
}

describe("a call with an Idempotency-Key", () => {
  test("a call with an Idempotency-Key runs once when made fifty times concurrently, with the same answer for all", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create("fifty")));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^rc_/) } });
    expect(answers.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1);
    expect(await count()).toBe(1);
  });

  test("a call with an Idempotency-Key is refused with another body or path", async () => {
    await create("other");
    const before = await count();
    const answer = await create("other", "another name");
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "idempotency_conflict"]);
    expect(await count()).toBe(before);
  });

  test("a call with an Idempotency-Key belongs to its user", async () => {
    const stranger = await server.signUp();
    const mine = await create("shared");
    const theirs = await create("shared", "ci", stranger.token);
    expect(theirs.status).toBe(201);
    expect((theirs.body as { id: string }).id).not.toBe((mine.body as { id: string }).id);
  });

  test("a call with an Idempotency-Key answers no other key of the same user, which might lack the scopes of the secret in the answer", async () => {
    await server.db
      .updateTable("users")
      .set({ email_verified_at: clock.now() })
      .where("id", "=", user.userId)
      .execute();
    const scopes = ["user.read", "keys.write", "api.access"];
    const [first, second] = [await server.createKey(user, { scopes }), await server.createKey(user, { scopes })];
    const before = await count();
    const mine = await create("bound", "ci", first.secret);
    expect(mine.status).toBe(201);
    const theirs = await create("bound", "ci", second.secret);
    expect([theirs.status, errorCode(theirs.body)]).toEqual([409, "idempotency_conflict"]);
    expect(theirs.text).not.toContain("rc_");
    expect((await create("bound", "ci", first.secret)).body).toEqual(mine.body);
    expect(await count()).toBe(before + 1);
  });

  test("a call with an Idempotency-Key can be repeated after a refusal", async () => {
    expect((await create("refused", "")).status).toBe(400);
    expect((await create("refused", "good")).status).toBe(201);
  });

  test("a call with an Idempotency-Key is stored for 24 hours", async () => {
    const { body } = await create("day");
    const again = async () => ((await create("day")).body as { id: string }).id;
    clock.at += 23 * HOUR_MS;
    expect(await again()).toBe((body as { id: string }).id);
    clock.at += 2 * HOUR_MS;
    expect(await again()).not.toBe((body as { id: string }).id);
  });

  test("a call with an Idempotency-Key that was interrupted with its process is refused, since it may have taken effect", async () => {
    await create("cut");
    const before = await count();
    await server.db.updateTable("idempotency_keys").set({ status: null, answer: null }).execute();
    clock.at += 3 * 60_000;
    const again = await create("cut");
    expect([again.status, errorCode(again.body), await count()]).toEqual([409, "idempotency_conflict", before]);
  });

  test("a call with an Idempotency-Key returns its answer even if that cannot be stored, and does not run twice", async () => {
    await sql`create or replace function refuse_answers() returns trigger language plpgsql as
      $$ begin raise exception 'no space' using errcode = '53100'; end $$`.execute(server.db);
    await sql`create trigger refuse_answers before update of answer on idempotency_keys
      for each row execute function refuse_answers()`.execute(server.db);
    const first = await create("unstored");
    await sql`drop trigger refuse_answers on idempotency_keys`.execute(server.db);
    const before = await count();
    clock.at += 3 * 60_000;
    const again = await create("unstored");
    expect([first.status, again.status, errorCode(again.body)]).toEqual([201, 409, "idempotency_conflict"]);
    expect(await count()).toBe(before);
  });

  test.each<[string, string, object, (owner: Account) => Promise<number>]>([
    ["a key", "/api/api-keys", { name: "ci" }, (owner) => countOf("api_keys", owner)],
    [
      "an application",
      "/api/application",
      { name: "Winter", redirect_uris: ["https://winter.example/back"], scopes: ["user.read"] },
      (owner) => countOf("applications", owner),
    ],
    [
      "an invitation",
      "/api/organization/invitations",
      { email: "ines@example.com", role: "viewer" },
      (owner) => countOf("invitations", owner),
    ],
  ])(
    "a call with an Idempotency-Key whose answer cannot be stored creates %s once and is refused when repeated",
    async (_what, path, body, made) => {
      const owner = await server.signUp();
      const post = () =>
        server.call(path, { token: owner.token, body, headers: { "idempotency-key": "once-and-not-twice" } });
      await sql`create or replace function refuse_answers() returns trigger language plpgsql as
      $$ begin raise exception 'no space' using errcode = '53100'; end $$`.execute(server.db);
      await sql`create trigger refuse_answers before update of answer on idempotency_keys
      for each row execute function refuse_answers()`.execute(server.db);
      const first = await post();
      await sql`drop function refuse_answers cascade`.execute(server.db);
      expect([first.status, await made(owner)]).toEqual([201, 1]);
      clock.at += 3 * 60_000;
      const again = await post();
      expect([again.status, errorCode(again.body), await made(owner)]).toEqual([409, "idempotency_conflict", 1]);
    },
  );

  test("a call with an Idempotency-Key that fails after taking effect is refused at once when repeated", async () => {
    const owner = await server.signUp();
    const handlers = server.platform.handlers;
    const app = await createServer(server.platform, {
      ...handlers,
      "apiKeys.create": async (input) => {
        await handlers["apiKeys.create"]?.(input);
        throw new Error("The connection broke.");
      },
    });
    const headers = { authorization: `Bearer ${owner.token}`, "idempotency-key": "late" };
    const post = () => app.inject({ method: "POST", url: "/api/api-keys", headers, payload: { name: "ci" } });
    expect([(await post()).statusCode, await countOf("api_keys", owner)]).toEqual([500, 1]);
    const again = await post();
    expect([again.statusCode, errorCode(again.json()), await countOf("api_keys", owner)]).toEqual([
      409,
      "idempotency_conflict",
      1,
    ]);
    await app.close();
  });

  test("a call with an Idempotency-Key stores no secret in plain text", async () => {
    const { body } = await create("secret");
    const rows = await server.db.selectFrom("idempotency_keys").selectAll().execute();
    const stored = rows.map((row) => `${row.id.toString("latin1")} ${row.answer?.toString("latin1")}`).join("\n");
    expect(stored).not.toContain((body as { secret: string }).secret);
    expect(stored).not.toContain("secret");
  });

  test.each(["", "x".repeat(201)])("a call with an Idempotency-Key is rejected with the key %j", async (key) => {
    expect((await create(key)).status).toBe(400);
  });

  test("a call with an Idempotency-Key is deleted by the job after 24 hours", async () => {
    clock.at += 25 * HOUR_MS;
    await server.platform.idempotency.deleteExpired();
    expect(await server.db.selectFrom("idempotency_keys").selectAll().execute()).toEqual([]);
  });
});
