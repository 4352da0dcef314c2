import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { waitFor } from "@feather/testing/wait-for";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";

const clock = createTestClock("2026-11-30T08:00:00Z");
const ID = "00000000-0000-4000-8000-000000000001";
const OTHER_ID = "00000000-0000-4000-8000-000000000002";
const MESSAGE = { version: 0, kind: "message", name: "Translate", text: "Translate into {{language}}." };
const PERSONA = {
  version: 0,
  kind: "persona",
  name: "Reviewer",
  text: "You review code.",
  model: "feather/starter",
  settings: { temperature: 0.2, mcp_tools: "docs__search" },
};
type Prompt = { id: string; name: string; owner: string; version: number; text: string };

let server: TestServer;
let owner: Account;
let member: Account;
beforeAll(async () => {
  server = await createTestServer({ clock });
  owner = await server.signUp();
  member = await joinAs("developer");
});
afterEach(async () => {
  await server.db.deleteFrom("prompts").execute();
  await server.db.deleteFrom("api_keys").execute();
});
afterAll(() => server.close());

/** Signs somebody up who works in the owner's organization. */
async function joinAs(role: string): Promise<Account> {
  const account = await server.signUp();
  const membership = { organization_id: owner.organizationId, user_id: account.userId, role };
  await server.db.insertInto("memberships").values(membership).execute();
  const body = { organization_id: owner.organizationId };
  expect((await server.call("/api/organization/switch", { token: account.token, body })).status).toBe(200);
  return account;
}

const OWN = "/api/prompts";
const SHARED = "/api/organization/prompts";
const put = (who: Account, body: object, id = ID, path = OWN) =>
  server.call(`${path}/${id}`, { method: "PUT", token: who.token, body });
const remove = (who: Account, id = ID, path = OWN) =>
  server.call(`${path}/${id}`, { method: "DELETE", token: who.token });
const list = async (who: Account) => ((await server.call(OWN, { token: who.token })).body as { items: Prompt[] }).items;
const codeOf = ({ body }: { body: unknown }) => errorCode(body);
const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

describe("prompts of one's own", () => {
  test("are created, changed and deleted", async () => {
    const made = await put(owner, MESSAGE);
    const stored = {
      ...{ id: ID, ...MESSAGE, version: 1, model: null, settings: {}, owner: "person" },
      updated_at: clock.now().toISOString(),
    };
    expect([made.status, made.body]).toMatchObject([200, stored]);
    expect(await list(owner)).toMatchObject([stored]);
    const changed = await put(owner, { ...MESSAGE, version: 1, name: "Übersetzen", text: "Neu" });
    expect(changed.body).toMatchObject({ name: "Übersetzen", text: "Neu", version: 2 });
    expect((await remove(owner)).status).toBe(204);
    expect(await list(owner)).toEqual([]);
    expect(codeOf(await remove(owner))).toBe("prompts.not_found");
  });

  test("keep the model and the settings of a persona", async () => {
    expect((await put(owner, PERSONA)).body).toMatchObject({ ...PERSONA, version: 1 });
    expect(await list(owner)).toMatchObject([{ model: "feather/starter", settings: { temperature: 0.2 } }]);
  });

  test("are neither seen nor changed by others of the organization", async () => {
    await put(owner, MESSAGE);
    expect(await list(member)).toEqual([]);
    expect(codeOf(await put(member, { ...MESSAGE, version: 1, text: "Stolen" }))).toBe("prompts.not_found");
    expect(codeOf(await put(member, { ...MESSAGE, text: "Stolen" }))).toBe("prompts.not_found");
    expect(codeOf(await remove(member))).toBe("prompts.not_found");
    expect(codeOf(await put(owner, { ...MESSAGE, version: 1 }, ID, SHARED))).toBe("prompts.not_found");
    expect(codeOf(await remove(owner, ID, SHARED))).toBe("prompts.not_found");
    expect(await list(owner)).toMatchObject([{ text: MESSAGE.text, version: 1 }]);
  });

  test("belong to one organization of the person", async () => {
    await put(member, MESSAGE);
    const own = await server.signUp();
    expect(await list(own)).toEqual([]);
    const { body } = await server.call("/api/organization/switch", {
      ...{ token: member.token, body: { organization_id: member.organizationId } },
    });
    expect(body).toBeDefined();
    expect(await list(member)).toEqual([]);
    await server.call("/api/organization/switch", {
      ...{ token: member.token, body: { organization_id: owner.organizationId } },
    });
    expect(await list(member)).toHaveLength(1);
  });

  test("have names that are unique for their owner and kind", async () => {
    await put(owner, MESSAGE);
    const taken = await put(owner, MESSAGE, OTHER_ID);
    expect([taken.status, codeOf(taken)]).toEqual([409, "prompts.name_taken"]);
    expect((await put(owner, { ...PERSONA, name: MESSAGE.name }, OTHER_ID)).status).toBe(200);
    expect((await put(member, MESSAGE, uuid(3))).status).toBe(200);
    expect((await put(owner, MESSAGE, uuid(4), SHARED)).status).toBe(200);
    const renamed = await put(
      owner,
      { ...PERSONA, version: 1, kind: "message", name: MESSAGE.name, model: null, settings: {} },
      OTHER_ID,
    );
    expect(codeOf(renamed)).toBe("prompts.name_taken");
    expect(await list(owner)).toMatchObject([{ kind: "message" }, { kind: "persona" }, { owner: "organization" }]);
  });

  test.each([
    ["an empty text", { text: "" }],
    ["a text that is too long", { text: "x".repeat(20_001) }],
    ["a name with characters that cannot be seen", { name: "a\u202eb" }],
    ["a name with a line break", { name: "a\nb" }],
    ["an unknown kind", { kind: "macro" }],
    ["a model for a text of messages", { model: "feather/starter" }],
    ["settings for a text of messages", { settings: { temperature: 1 } }],
    ["settings beyond 32 kB", { kind: "persona", settings: { tools: "x".repeat(33_000) } }],
    ["an unknown field", { owner: "organization" }],
  ])("are not stored with %s", async (_what, fields) => {
    expect((await put(owner, { ...MESSAGE, ...fields })).status).toBe(400);
    expect(await list(owner)).toEqual([]);
  });

  test("are not replaced by a change that was made to an earlier version", async () => {
    await put(owner, MESSAGE);
    await put(owner, { ...MESSAGE, version: 1, text: "Of the first device" });
    const late = await put(owner, { ...MESSAGE, version: 1, text: "Of the second device" });
    expect([late.status, codeOf(late)]).toEqual([409, "prompts.changed"]);
    expect(codeOf(await put(owner, MESSAGE))).toBe("prompts.changed");
    expect(await list(owner)).toMatchObject([{ text: "Of the first device", version: 2 }]);
    expect(codeOf(await put(owner, { ...MESSAGE, version: 3, name: "New" }, OTHER_ID))).toBe("prompts.not_found");
  });

  test("of two changes at the same time take one", async () => {
    await put(owner, MESSAGE);
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const answers = await server.db.transaction().execute(async (trx) => {
      // Holds up whatever writes the prompt, so that the second change begins before the first has ended.
      await trx.selectFrom("prompts").select("id").where("id", "=", ID).forUpdate().execute();
      const changes = ["First", "Second"].map((text) => put(owner, { ...MESSAGE, version: 1, text }));
      await waitFor(async () => expect((await waiting.execute(server.db)).rows).toHaveLength(2));
      return changes;
    });
    const settled = await Promise.all(answers);
    expect(settled.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = settled.find(({ status }) => status === 200)?.body as Prompt;
    expect(await list(owner)).toMatchObject([{ text: winner.text, version: 2 }]);
  });

  test("are 500 at most, of which each can still be changed", async () => {
    await put(owner, MESSAGE);
    const row = await server.db.selectFrom("prompts").selectAll().executeTakeFirstOrThrow();
    const others = Array.from({ length: 499 }, (_, index) => ({
      ...row,
      id: uuid(index + 10),
      name: `Prompt ${index}`,
    }));
    await server.db.insertInto("prompts").values(others).execute();
    expect(codeOf(await put(owner, { ...MESSAGE, name: "One more" }, OTHER_ID))).toBe("prompts.full");
    expect((await put(owner, { ...MESSAGE, version: 1 })).status).toBe(200);
    expect((await put(owner, MESSAGE, OTHER_ID, SHARED)).status).toBe(200);
  });

  test("take 1 MB at most", async () => {
    const text = "ü".repeat(20_000);
    const answers = [];
    for (let index = 0; index < 27; index++)
      answers.push(await put(owner, { ...MESSAGE, name: `Prompt ${index}`, text }, uuid(index)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map((answer) => [answer.status, codeOf(answer)])).toEqual([[409, "prompts.full"]]);
    expect(await list(owner)).toHaveLength(26);
    expect((await put(owner, { ...MESSAGE, version: 1, name: "Prompt 0", text: "Short" }, uuid(0))).status).toBe(200);
  });

  test("are encrypted in the database but for their names", async () => {
    await put(owner, PERSONA);
    const row = await server.db.selectFrom("prompts").selectAll().executeTakeFirstOrThrow();
    const stored = row.sealed_fields.toString("latin1");
    for (const plain of ["review", "feather/starter", "docs__search"]) expect(stored).not.toContain(plain);
    expect(row.name).toBe("Reviewer");
  });

  test("are in the export of the account, those of the organization are not", async () => {
    await put(owner, MESSAGE);
    await put(owner, PERSONA, OTHER_ID, SHARED);
    const key = await server.createKey(owner, { scopes: ["user.read", "chats.write"] });
    const { text } = await server.call("/api/account/export", { token: key.secret });
    const { prompts } = JSON.parse(text) as { prompts: object[] };
    expect(prompts).toMatchObject([{ organization_id: owner.organizationId, id: ID, text: MESSAGE.text }]);
    expect(prompts).toHaveLength(1);
  });

  test("go with the account", async () => {
    const leaving = await server.signUp();
    await put(leaving, MESSAGE);
    const body = { password: PASSWORD };
    expect((await server.call("/api/account", { method: "DELETE", token: leaving.token, body })).status).toBeLessThan(
      300,
    );
    expect(await server.db.selectFrom("prompts").select("id").execute()).toEqual([]);
  });
});

describe("prompts of an organization", () => {
  test("are changed by its admins and used by all members, also those who only view", async () => {
    expect((await put(owner, MESSAGE, ID, SHARED)).body).toMatchObject({ owner: "organization", version: 1 });
    for (const role of ["viewer", "editor"]) {
      const colleague = await joinAs(role);
      expect(await list(colleague)).toMatchObject([{ id: ID, owner: "organization", text: MESSAGE.text }]);
      for (const refused of [
        await put(colleague, { ...MESSAGE, version: 1, text: "Other" }, ID, SHARED),
        await remove(colleague, ID, SHARED),
      ])
        expect([refused.status, codeOf(refused)]).toEqual([403, "organization_permission_denied"]);
      expect(codeOf(await put(colleague, { ...MESSAGE, version: 1, text: "Other" }))).toBe("prompts.not_found");
      expect(codeOf(await remove(colleague))).toBe("prompts.not_found");
    }
    const outsider = await server.signUp();
    expect(await list(outsider)).toEqual([]);
    expect(codeOf(await remove(outsider, ID, SHARED))).toBe("prompts.not_found");
    expect((await remove(owner, ID, SHARED)).status).toBe(204);
    expect(await list(member)).toEqual([]);
  });

  test("are in the audit log by their names, without their texts", async () => {
    await put(owner, { ...MESSAGE, text: "The secret recipe" }, ID, SHARED);
    await remove(owner, ID, SHARED);
    await put(owner, MESSAGE);
    const { body, text } = await server.call("/api/organization/audit", { token: owner.token });
    const { items } = body as { items: { action: string; details: object }[] };
    const changes = items.filter(({ action }) => action.startsWith("prompts.")).slice(0, 2);
    expect(changes).toMatchObject([
      { action: "prompts.delete", details: { name: "Translate" } },
      { action: "prompts.put", details: { kind: "message", name: "Translate" } },
    ]);
    expect(text).not.toContain("recipe");
  });

  test("are changed by keys with the scope members.write and without limits", async () => {
    const withKey = async (fields: object) => ({ ...owner, token: (await server.createKey(owner, fields)).secret });
    const chats = await withKey({ scopes: ["chats.write"] });
    expect((await put(chats, MESSAGE, ID, SHARED)).status).toBe(403);
    expect((await put(chats, MESSAGE, OTHER_ID)).status).toBe(200);
    const limited = await withKey({ scopes: ["members.write"], max_concurrency: 1 });
    expect(codeOf(await put(limited, MESSAGE, ID, SHARED))).toBe("api_keys.limited");
    expect(codeOf(await remove(limited, ID, SHARED))).toBe("api_keys.limited");
    await server.db.deleteFrom("api_keys").execute();
    const members = await withKey({ scopes: ["members.write"] });
    expect((await put(members, MESSAGE, ID, SHARED)).status).toBe(200);
    expect((await server.call(OWN, { token: members.token })).status).toBe(403);
  });

  test("name who last changed them as long as the account is there", async () => {
    const admin = await joinAs("admin");
    await server.db.updateTable("users").set({ name: "Maria Winter" }).where("id", "=", admin.userId).execute();
    const { body } = await put(admin, MESSAGE, ID, SHARED);
    expect(body).toMatchObject({ updated_by_name: "Maria Winter" });
    await server.db.deleteFrom("users").where("id", "=", admin.userId).execute();
    expect(await list(owner)).toMatchObject([{ updated_by_name: null, text: MESSAGE.text }]);
  });
});

test("whose key was lost with the secret of the installation are not listed", async () => {
  await put(owner, MESSAGE);
  await server.db.deleteFrom("conversation_keys").execute();
  expect(await list(owner)).toEqual([]);
});
