import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../../platform/core/time.ts";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";
import { type TestSite, writeTestSite } from "../../testing/site.ts";

const clock = createTestClock("2026-11-30T08:00:00Z");
let site: TestSite;
let server: TestServer;
beforeAll(async () => {
  site = writeTestSite();
  server = await createTestServer({ clock, siteFolder: site.folder });
});
afterAll(async () => {
  await server.close();
  site.remove();
});

const decide = (who: Account, body: object) =>
  server.call("/api/organization", { method: "PUT", token: who.token, body });

/** A person whose organization keeps chats on the server and allows links to them. */
async function signUp(): Promise<Account> {
  const who = await server.signUp();
  await decide(who, { chat_storage: "server", chat_links: true });
  return who;
}

const AT = "2026-11-30T08:00:00.000Z";
const FIELDS = {
  version: 0,
  title: "Zanzibar in March",
  is_named: false,
  models: ["feather/starter"],
  settings: { system: "Never tell the codeword." },
  selected: {},
  created_at: AT,
  updated_at: AT,
  deleted_at: null,
};
const file = { id: "f1", kind: "text", name: "notes.txt", type: "text/plain", size: 7, data: "private" };
const question = (id: string, text: string) => ({
  id,
  kind: "question",
  text,
  created_at: AT,
  saved_at: AT,
  question: { after: [], models: ["feather/starter"], attachments: [file], results: [] },
});
const answer = (id: string, text: string, fields: object = {}) => ({
  id,
  kind: "answer",
  text,
  created_at: AT,
  saved_at: AT,
  answer: {
    question: "q1",
    lane: 0,
    model: "feather/starter",
    reasoning: "The codeword is feather.",
    tool_calls: [{ id: "c1", name: "weather", arguments: "{}" }],
    state: "done",
    finish_reason: "stop",
    error: null,
    metrics: null,
    receipt: null,
    request_id: null,
    ...fields,
  },
});

let counter = 0;
/** Stores a conversation with a question and two versions of its answer. Returns its id. */
async function createChat(who: Account): Promise<string> {
  const id = `00000000-0000-4000-8000-${String(++counter).padStart(12, "0")}`;
  await server.call(`/api/conversations/${id}`, { method: "PUT", token: who.token, body: FIELDS });
  await putEntries(who, id, question("q1", "Will it rain?"), answer("a1", "Perhaps."), answer("a2", "**Yes.**"));
  return id;
}
const putEntries = (who: Account, id: string, ...items: object[]) =>
  server.call(`/api/conversations/${id}/entries`, { method: "PUT", token: who.token, body: { items } });

type Share = { id: string; url: string; title: string; conversation_id: string };
const create = (who: Account, conversation_id: string, fields: object = {}) =>
  server.call("/api/chat-shares", {
    token: who.token,
    body: { conversation_id, entry_ids: ["q1", "a2"], days: 7, ...fields },
  });
const share = async (who: Account, id: string, fields: object = {}) => (await create(who, id, fields)).body as Share;
const list = async (who: Account) =>
  ((await server.call("/api/chat-shares", { token: who.token })).body as { items: Share[] }).items;
const revoke = (who: Account, id: string) =>
  server.call(`/api/chat-shares/${id}`, { method: "DELETE", token: who.token });
const read = ({ url }: Share) => server.call(`/api/shared-chats/${tokenOf(url)}`);
const tokenOf = (url: string) => url.split("/").at(-1) ?? "";

/** Expects that nobody reads anything under a link. */
async function expectEnded(link: Share): Promise<void> {
  const { status, body } = await read(link);
  expect([status, errorCode(body)]).toEqual([404, "chat_shares.ended"]);
  expect((await server.send(new URL(link.url).pathname)).status).toBe(404);
}

describe("a link to a chat", () => {
  test("a link shows everybody the chosen messages, and no thoughts, tool calls, instructions or contents of files", async () => {
    const who = await signUp();
    const link = await share(who, await createChat(who));
    const { status, body, text } = await read(link);
    expect([status, body]).toEqual([
      200,
      {
        title: "Zanzibar in March",
        messages: [
          { kind: "question", text: "Will it rain?", model: null, files: ["notes.txt"], is_complete: true },
          { kind: "answer", text: "**Yes.**", model: "feather/starter", files: [], is_complete: true },
        ],
        created_at: new Date(clock.at).toISOString(),
        expires_at: new Date(clock.at + 7 * DAY_MS).toISOString(),
      },
    ]);
    for (const hidden of ["codeword", "weather", "private", "Perhaps", who.userId]) expect(text).not.toContain(hidden);
  });

  test("a link shows the chat as it was when it was shared, and marks an answer that was not complete", async () => {
    const who = await signUp();
    const id = await createChat(who);
    await putEntries(who, id, answer("a3", "It w", { state: "stopped" }));
    const link = await share(who, id, { entry_ids: ["a3"] });
    await putEntries(who, id, { ...answer("a3", "It will."), saved_at: "2026-11-30T08:00:01.000Z" });
    expect((await read(link)).body).toMatchObject({ messages: [{ text: "It w", is_complete: false }] });
  });

  test("links are listed for their maker alone, newest first, with the same addresses as when they were made", async () => {
    const [who, other] = [await signUp(), await signUp()];
    const id = await createChat(who);
    const first = await share(who, id);
    clock.at += 1;
    const second = await share(who, id, { days: 1 });
    expect(await list(who)).toEqual([second, first]);
    expect(tokenOf(first.url)).toMatch(/^[\w-]{32}$/);
    expect(first.url).not.toBe(second.url);
    expect(await list(other)).toEqual([]);
    expect([(await revoke(other, first.id)).status, (await read(first)).status]).toEqual([404, 200]);
  });

  test("the database holds neither texts nor addresses of links", async () => {
    const who = await signUp();
    const link = await share(who, await createChat(who));
    const row = await server.db
      .selectFrom("chat_shares")
      .selectAll()
      .where("id", "=", link.id)
      .executeTakeFirstOrThrow();
    const stored = Object.values(row)
      .map((value) => (Buffer.isBuffer(value) ? value.toString("latin1") : String(value)))
      .join("\n");
    for (const secret of ["anzibar", "rain", tokenOf(link.url)]) expect(stored).not.toContain(secret);
  });

  test("making and revoking a link is in the audit log", async () => {
    const who = await signUp();
    const id = await createChat(who);
    const link = await share(who, id);
    expect((await revoke(who, link.id)).status).toBe(204);
    const rows = await server.db
      .selectFrom("audit_log")
      .select(["action", "details", "actor_user_id"])
      .where("target", "=", link.id)
      .orderBy("sequence")
      .execute();
    expect(rows).toEqual([
      { action: "chat_shares.create", details: { conversation_id: id, days: 7 }, actor_user_id: who.userId },
      { action: "chat_shares.delete", details: {}, actor_user_id: who.userId },
    ]);
  });

  test("the export of the account has the links without their addresses", async () => {
    const who = await signUp();
    const id = await createChat(who);
    const link = await share(who, id);
    const { body, text } = await server.call("/api/account/export", { token: who.token });
    expect(body).toMatchObject({ chat_shares: [{ id: link.id, conversation_id: id, title: "Zanzibar in March" }] });
    expect(text).not.toContain(tokenOf(link.url));
  });

  test("the page of a link is not indexed, sends no referrer, and does not name the chat", async () => {
    const who = await signUp();
    const link = await share(who, await createChat(who));
    const page = await server.send(new URL(link.url).pathname);
    expect(page.status).toBe(200);
    expect([page.headers.get("referrer-policy"), page.headers.get("x-robots-tag")]).toEqual(["no-referrer", "noindex"]);
    const html = await page.text();
    expect(html).toContain('<meta name="robots" content="noindex" />');
    expect(html).not.toContain("Zanzibar");
  });

  test("nothing on the way to the reader keeps the copy, so that it is gone once the link is revoked", async () => {
    const who = await signUp();
    const link = await share(who, await createChat(who));
    const whole = await read(link);
    const head = await server.send(`/api/shared-chats/${tokenOf(link.url)}`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(whole.text)));
    await revoke(who, link.id);
    const gone = await read(link);
    const page = await server.send(new URL(link.url).pathname);
    const kept = [whole, head, gone].map(({ headers }) => [headers.get("cache-control"), headers.get("etag")]);
    expect(kept).toEqual([0, 1, 2].map(() => ["no-store", null]));
    expect([page.status, page.headers.get("cache-control")]).toEqual([404, "private, no-cache"]);
  });

  test("a link shows texts as they were written: markup, code fences, directions and halves of characters", async () => {
    const who = await signUp();
    const id = await createChat(who);
    const texts = [
      "<script>alert(1)</script><img src=x onerror=alert(1)>",
      "````html\n```\n</script>\n````",
      "[x](javascript:alert(1)) \u202eesrever\u202c \u2028 \u0007",
      "half \ud83d of one",
    ];
    const answers = texts.map((text, place) => answer(`b${place}`, text));
    await putEntries(who, id, ...answers);
    const link = await share(who, id, { entry_ids: ["b0", "b1", "b2", "b3"] });
    const { headers, body } = await read(link);
    const { messages } = body as { messages: { text: string }[] };
    expect(messages.map(({ text }) => text)).toEqual([...texts.slice(0, 3), expect.stringMatching(/^half .+ of one$/)]);
    expect(headers.get("content-type")).toContain("application/json");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const html = await (await server.send(new URL(link.url).pathname)).text();
    for (const written of ["alert(1)", "onerror", "esrever"]) expect(html).not.toContain(written);
  });

  test("the address has to be exact: another case, more or fewer characters are no link", async () => {
    const who = await signUp();
    const token = tokenOf((await share(who, await createChat(who))).url);
    const swapped = token.replace(/[a-z]/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    for (const other of [swapped, token.slice(1), `${token}A`, `${token}%20`, `${token}=`])
      expect((await server.call(`/api/shared-chats/${other}`)).status).toBe(404);
  });

  test("of two calls at once that revoke a link, one has ended it and the other finds none", async () => {
    const who = await signUp();
    const link = await share(who, await createChat(who));
    const answers = await Promise.all([revoke(who, link.id), revoke(who, link.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    const rows = await server.db.selectFrom("audit_log").select("action").where("target", "=", link.id).execute();
    expect(rows.map(({ action }) => action).sort()).toEqual(["chat_shares.create", "chat_shares.delete"]);
    await expectEnded(link);
  });

  test("a key needs the scope chats.write to share, and an admin who acts as a person cannot", async () => {
    const who = await signUp();
    const { secret } = await server.createKey(who, { scopes: ["api.access", "user.read"] });
    expect((await server.call("/api/chat-shares", { token: secret })).status).toBe(403);
    const admin = await server.signInAdmin();
    const started = await server.call(`/api/admin/users/${who.userId}/impersonate`, {
      token: admin.token,
      body: { reason: "Ticket 7", password: PASSWORD },
    });
    const token = started.headers.get("x-session-token") ?? "";
    expect(errorCode((await server.call("/api/chat-shares", { token })).body)).toBe("impersonation_forbidden");
  });
});

describe("what is refused", () => {
  test.each([
    ["a message that the chat does not have", { entry_ids: ["q1", "q9"] }],
    ["a message twice", { entry_ids: ["q1", "q1"] }],
    ["no message", { entry_ids: [] }],
    ["a year", { days: 365 }],
  ])("a link with %s is refused, and none is made", async (_what, fields) => {
    const who = await signUp();
    expect((await create(who, await createChat(who), fields)).status).toBe(400);
    expect(await list(who)).toEqual([]);
  });

  test("a copy of more than 1 MB is refused", async () => {
    const who = await signUp();
    const id = await createChat(who);
    await putEntries(who, id, answer("a3", "x".repeat(999_000)), answer("a4", "x".repeat(2_000)));
    expect((await create(who, id, { entry_ids: ["a3", "a4"] })).status).toBe(400);
    expect((await create(who, id, { entry_ids: ["a3"] })).status).toBe(201);
  });

  test("a chat of somebody else, and one in the trash, is not shared", async () => {
    const [who, other] = [await signUp(), await signUp()];
    const id = await createChat(who);
    expect(errorCode((await create(other, id)).body)).toBe("conversations.not_found");
    const body = { ...FIELDS, version: 1, deleted_at: AT };
    await server.call(`/api/conversations/${id}`, { method: "PUT", token: who.token, body });
    expect(errorCode((await create(who, id)).body)).toBe("conversations.not_found");
  });

  test("a person has 50 links at once, and another one after revoking one", async () => {
    const who = await signUp();
    const id = await createChat(who);
    const links: Share[] = [];
    for (let made = 0; made < 50; made++) links.push(await share(who, id));
    const refused = await create(who, id);
    expect([refused.status, errorCode(refused.body)]).toEqual([409, "chat_shares.limit_reached"]);
    await revoke(who, links[0]?.id ?? "");
    expect((await create(who, id)).status).toBe(201);
  });

  test("of calls at once for the last link that a person may have, one gets it", async () => {
    const who = await signUp();
    const id = await createChat(who);
    for (let made = 0; made < 49; made++) await share(who, id);
    const answers = await Promise.all([create(who, id), create(who, id), create(who, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await list(who)).toHaveLength(50);
  });

  test("an organization allows no links until one of its admins decides so", async () => {
    const who = await server.signUp();
    expect((await decide(who, { chat_storage: "server" })).body).toMatchObject({ chat_links: false });
    const id = await createChat(who);
    const refused = await create(who, id);
    expect([refused.status, errorCode(refused.body)]).toEqual([403, "chat_shares.not_allowed"]);
    expect((await decide(who, { chat_links: true })).body).toMatchObject({ chat_links: true, chat_storage: "server" });
    expect((await create(who, id)).status).toBe(201);
  });
});

describe("nothing is read under a link", () => {
  test("once it was revoked, and its copy is deleted", async () => {
    const who = await signUp();
    const link = await share(who, await createChat(who));
    await revoke(who, link.id);
    await expectEnded(link);
    expect((await revoke(who, link.id)).status).toBe(404);
  });

  test("once its days are over, and the copy is deleted afterwards", async () => {
    const who = await signUp();
    const link = await share(who, await createChat(who), { days: 1 });
    clock.at += DAY_MS - 1;
    expect((await read(link)).status).toBe(200);
    clock.at += 1;
    await expectEnded(link);
    expect(await list(who)).toEqual([]);
    await server.runJob("delete old conversations");
    expect(await server.db.selectFrom("chat_shares").select("id").where("id", "=", link.id).execute()).toEqual([]);
  });

  test("while the chat is in the trash, and after it was deleted", async () => {
    const who = await signUp();
    const id = await createChat(who);
    const link = await share(who, id);
    const put = (version: number, deleted_at: string | null) =>
      server.call(`/api/conversations/${id}`, {
        method: "PUT",
        token: who.token,
        body: { ...FIELDS, version, deleted_at },
      });
    await put(1, AT);
    await expectEnded(link);
    expect(await list(who)).toEqual([{ ...link, is_readable: false }]);
    await put(2, null);
    expect((await read(link)).status).toBe(200);
    await server.call(`/api/conversations/${id}`, { method: "DELETE", token: who.token });
    await expectEnded(link);
    expect(await list(who)).toEqual([]);
  });

  test("while the organization forbids links", async () => {
    const who = await signUp();
    const link = await share(who, await createChat(who));
    await decide(who, { chat_links: false });
    await expectEnded(link);
    expect(await list(who)).toEqual([{ ...link, is_readable: false }]);
    await decide(who, { chat_links: true });
    expect((await read(link)).status).toBe(200);
    expect(await list(who)).toEqual([link]);
  });

  test("after its owner has left the organization, or was suspended", async () => {
    const [leaving, suspended] = [await signUp(), await signUp()];
    const [first, second] = [
      await share(leaving, await createChat(leaving)),
      await share(suspended, await createChat(suspended)),
    ];
    await server.db.deleteFrom("memberships").where("user_id", "=", leaving.userId).execute();
    const suspendedAt = { suspended_at: new Date(clock.at) };
    await server.db.updateTable("users").set(suspendedAt).where("id", "=", suspended.userId).execute();
    await expectEnded(first);
    await expectEnded(second);
  });

  test("after its owner deleted the account, with which the copy goes", async () => {
    const who = await signUp();
    const link = await share(who, await createChat(who));
    const deleted = await server.call("/api/account", {
      method: "DELETE",
      token: who.token,
      body: { password: PASSWORD },
    });
    expect(deleted.status).toBeLessThan(300);
    await expectEnded(link);
    expect(await server.db.selectFrom("chat_shares").select("id").where("id", "=", link.id).execute()).toEqual([]);
  });

  test.each(["x", "%00", "A".repeat(32), "../../auth/me"])("with a made-up address: %s", async (token) => {
    const { status } = await server.call(`/api/shared-chats/${encodeURIComponent(token)}`);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });
});
