import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../../platform/core/time.ts";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";
import { toConversation } from "./conversation.ts";

const clock = createTestClock("2026-11-30T08:00:00Z");
let server: TestServer;
beforeAll(async () => {
  server = await createTestServer({ clock, env: { FEATHER_CHAT_MEGABYTES: "12" } });
});
afterAll(() => server.close());

/** A person whose organization keeps chats on the server. */
async function signUp(): Promise<Account> {
  const who = await server.signUp();
  await server.db
    .updateTable("organizations")
    .set({ chat_storage: "server" })
    .where("id", "=", who.organizationId)
    .execute();
  return who;
}

let counter = 0;
const newId = () => `00000000-0000-4000-8000-${String(++counter).padStart(12, "0")}`;
const AT = "2026-11-30T08:00:00.000Z";
type Fields = Record<string, unknown>;
const conversation = (fields: Fields = {}) => ({
  version: 0,
  title: "Sorting",
  is_named: false,
  models: ["feather/starter"],
  settings: { system: "Be brief." },
  selected: {},
  created_at: AT,
  updated_at: AT,
  deleted_at: null,
  ...fields,
});
const NO_PLACE = { is_pinned: false, is_archived: false, folder: null };
const question = (id: string, text: string, fields: Fields = {}) => ({
  id,
  kind: "question",
  text,
  created_at: AT,
  saved_at: AT,
  question: { after: [], models: ["feather/starter"], attachments: [], results: [] },
  ...fields,
});
const answer = (id: string, text: string, savedAt = AT) => ({
  id,
  kind: "answer",
  text,
  created_at: AT,
  saved_at: savedAt,
  answer: {
    question: "q1",
    lane: 0,
    model: "feather/starter",
    reasoning: "",
    tool_calls: [],
    state: "done",
    finish_reason: "stop",
    error: null,
    metrics: null,
    receipt: null,
    request_id: null,
  },
});

const call = (who: Account, path: string, method = "GET", body?: object) =>
  server.call(`/api/conversations${path}`, { method, token: who.token, ...(body && { body }) });
const put = (who: Account, id: string, fields: Fields = {}) => call(who, `/${id}`, "PUT", conversation(fields));
const putEntries = (who: Account, id: string, ...items: object[]) => call(who, `/${id}/entries`, "PUT", { items });
const titles = async (who: Account, path = "") =>
  ((await call(who, path)).body as { items: { title: string }[] }).items.map(({ title }) => title);
const changes = async (who: Account, after: number) =>
  (await call(who, `/changes?after=${after}`)).body as {
    items: { id: string }[];
    deleted_ids: string[];
    revision: number;
    has_more: boolean;
  };
type EntryPage = { items: { text: string }[]; next_after: number | null };
const texts = async (who: Account, id: string, after = 0) =>
  ((await call(who, `/${id}/entries?after=${after}`)).body as { items: { text: string }[] }).items.map(
    ({ text }) => text,
  );

describe("a conversation", () => {
  test("a conversation is created, read, changed and listed, the one changed last first", async () => {
    const who = await signUp();
    const [first, second] = [newId(), newId()];
    expect((await put(who, first, { title: "One" })).body).toMatchObject({ id: first, title: "One", version: 1 });
    await put(who, second, { title: "Two", updated_at: "2026-11-30T09:00:00.000Z" });
    expect((await put(who, first, { version: 1, title: "One, renamed", is_named: true })).body).toMatchObject({
      version: 2,
    });
    expect(await titles(who)).toEqual(["Two", "One, renamed"]);
    expect((await call(who, `/${first}`)).body).toEqual({
      ...conversation(),
      ...NO_PLACE,
      id: first,
      version: 2,
      title: "One, renamed",
      is_named: true,
    });
  });

  test("a question keeps the passages of documents that were sent with it, which a search of chats does not find", async () => {
    const who = await signUp();
    const id = newId();
    await put(who, id);
    const passage = {
      ...{ collection_id: "col_1", collection_name: "Handbook", document_id: "doc_1", document_name: "rules.pdf" },
      ...{ number: 3, page: 2, text: "Everybody has thirty days of leave." },
    };
    const fields = { after: [], models: ["feather/starter"], attachments: [], results: [] };
    const searched = question("q1", "How many days?", { question: { ...fields, passages: [passage] } });
    const empty = question("q2", "And in May?", { question: { ...fields, passages: [] } });
    expect((await putEntries(who, id, searched, empty)).status).toBe(204);
    expect((await call(who, `/${id}/entries`)).body).toMatchObject({ items: [searched, empty] });
    const found = async (words: string) => (await call(who, `/search?q=${words}`)).body as { items: object[] };
    expect([(await found("days")).items.length, (await found("thirty")).items.length]).toEqual([1, 0]);
    const unnamed = question("q3", "x", { question: { ...fields, passages: [{ ...passage, page: 0 }] } });
    expect((await putEntries(who, id, unnamed)).status).toBe(400);
  });

  test("a conversation is pinned, archived and put into a folder, which a client that leaves that out does not undo", async () => {
    const who = await signUp();
    const id = newId();
    const place = { is_pinned: true, is_archived: true, folder: "Work" };
    expect((await put(who, id)).body).toMatchObject(NO_PLACE);
    expect((await put(who, id, { version: 1, ...place })).body).toMatchObject(place);
    expect((await put(who, id, { version: 2, title: "By an old client" })).body).toMatchObject(place);
    expect((await put(who, id, { version: 3, folder: null })).body).toMatchObject({ ...place, folder: null });
    expect((await put(who, id, { version: 4, ...NO_PLACE })).body).toMatchObject({ ...NO_PLACE, version: 5 });
    expect((await changes(who, 0)).items).toMatchObject([{ id, ...NO_PLACE }]);
  });

  test.each([
    ["no name", ""],
    ["a name with characters that cannot be seen", "Wo\u202erk"],
    ["a name that is too long", "x".repeat(61)],
    ["a name of spaces", "   "],
    ["a name of spaces that do not break", "\u00a0"],
    ["a name that begins with a space", " Work"],
    ["a name that ends with a space", "Work "],
  ])("a folder with %s is refused, and changes nothing", async (_what, folder) => {
    const who = await signUp();
    const id = newId();
    await put(who, id);
    expect((await put(who, id, { version: 1, folder })).status).toBe(400);
    expect((await call(who, `/${id}`)).body).toMatchObject({ version: 1, folder: null });
  });

  test("a conversation that was stored before there were places is in none", () => {
    const { title, is_named, models, settings, selected } = conversation();
    const stored = Buffer.from(JSON.stringify({ title, is_named, models, settings, selected }));
    const at = new Date(AT);
    const row = { id: newId(), sealed_fields: stored, version: 1, created_at: at, updated_at: at, deleted_at: null };
    const unsealed = { seal: (text: string) => Buffer.from(text), open: (sealed: Buffer) => sealed.toString() };
    expect(toConversation(row, { sealer: unsealed }).fields).toEqual({
      title,
      is_named,
      models,
      settings,
      selected,
      ...NO_PLACE,
    });
  });

  test("a change of an earlier version is refused, and changes nothing", async () => {
    const who = await signUp();
    const id = newId();
    await put(who, id);
    await put(who, id, { version: 1, title: "Changed on the laptop" });
    const answer = await put(who, id, { version: 1, title: "Changed on the phone" });
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "conversations.changed"]);
    expect(await titles(who)).toEqual(["Changed on the laptop"]);
  });

  test("of two devices that create the same conversation at once, one gets an error and reads it", async () => {
    const who = await signUp();
    const id = newId();
    const answers = await Promise.all([put(who, id), put(who, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("a conversation in the trash is not listed, and can be taken out again", async () => {
    const who = await signUp();
    const id = newId();
    await put(who, id);
    await put(who, id, { version: 1, deleted_at: AT });
    expect(await titles(who)).toEqual([]);
    await put(who, id, { version: 2 });
    expect(await titles(who)).toEqual(["Sorting"]);
  });

  test("a deleted conversation cannot be created again by a device that does not know", async () => {
    const who = await signUp();
    const id = newId();
    await put(who, id);
    expect((await call(who, `/${id}`, "DELETE")).status).toBe(204);
    for (const answer of [await put(who, id), await put(who, id, { version: 1 })])
      expect(errorCode(answer.body)).toBe("conversations.deleted");
    expect((await call(who, `/${id}`, "DELETE")).status).toBe(404);
    expect((await putEntries(who, id, question("q1", "Lost"))).status).toBe(404);
  });

  test("nobody else sees, changes or finds a conversation, also with its id", async () => {
    const [who, other] = [await signUp(), await signUp()];
    const id = newId();
    await put(who, id, { title: "Confidential" });
    await putEntries(who, id, question("q1", "Confidential figures"));
    for (const [path, method, body] of [
      [`/${id}`, "GET"],
      [`/${id}/entries`, "GET"],
      [`/${id}/entries`, "PUT", { items: [question("q1", "Changed")] }],
      [`/${id}`, "DELETE"],
    ] as const)
      expect((await call(other, path, method, body)).status).toBe(404);
    expect(await titles(other)).toEqual([]);
    expect((await call(other, "/search?q=confidential")).body).toEqual({ items: [] });
    await put(other, id, { title: "Mine" });
    expect(await titles(who)).toEqual(["Confidential"]);
  });

  test("the database holds no text of a conversation", async () => {
    const who = await signUp();
    const id = newId();
    await put(who, id, { title: "Zanzibar" });
    await putEntries(who, id, question("q1", "Zanzibar in March"));
    for (const table of ["conversations", "conversation_entries"] as const) {
      const rows = await server.db.selectFrom(table).selectAll().where("user_id", "=", who.userId).execute();
      expect(rows.length).toBe(1);
      expect(
        JSON.stringify(rows.map((row) => ({ ...row, sealed_fields: row.sealed_fields.toString("latin1") }))),
      ).not.toContain("anzibar");
    }
  });
});

describe("the messages of a conversation", () => {
  test("messages are listed in the order in which they were first saved, also when they are replaced", async () => {
    const who = await signUp();
    const id = newId();
    await put(who, id);
    await putEntries(who, id, question("q1", "Which sort?"), answer("a1", "Me"));
    await putEntries(who, id, answer("a1", "Merge sort.", "2026-11-30T08:00:01.000Z"), question("q2", "Why?"));
    expect(await texts(who, id)).toEqual(["Which sort?", "Merge sort.", "Why?"]);
  });

  test("a message that was saved by a clock years ahead can be saved again, and one by a clock an hour ahead stays", async () => {
    const who = await signUp();
    const id = newId();
    const from = (ms: number) => new Date(clock.at + ms).toISOString();
    await put(who, id);
    await putEntries(who, id, answer("a1", "Years ahead", "2099-01-01T00:00:00.000Z"));
    await putEntries(who, id, answer("a1", "An hour ahead", from(3_600_000)));
    await putEntries(who, id, answer("a1", "Now", from(5_000)));
    expect(await texts(who, id)).toEqual(["An hour ahead"]);
  });

  test("a state that was saved earlier does not replace a later one", async () => {
    const who = await signUp();
    const id = newId();
    await put(who, id);
    await putEntries(who, id, answer("a1", "Whole answer", "2026-11-30T08:00:05.000Z"));
    expect((await putEntries(who, id, answer("a1", "Half", "2026-11-30T08:00:04.000Z"))).status).toBe(204);
    expect(await texts(who, id)).toEqual(["Whole answer"]);
  });

  test("a long conversation is read in pages, each message once", async () => {
    const who = await signUp();
    const id = newId();
    await put(who, id);
    const all = Array.from({ length: 450 }, (_, index) => question(`q${index}`, `Number ${index}`));
    for (let from = 0; from < all.length; from += 150) await putEntries(who, id, ...all.slice(from, from + 150));
    const read: string[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page = (await call(who, `/${id}/entries?after=${after}`)).body as {
        items: { text: string }[];
        next_after: number | null;
      };
      read.push(...page.items.map(({ text }) => text));
      after = page.next_after;
    }
    expect(read).toEqual(all.map(({ text }) => text));
  });

  test.each([
    ["the fields of the other kind", { ...answer("a1", "x"), kind: "question" }],
    ["no fields of their kind", { ...question("q1", "x"), question: undefined }],
    ["an id with other characters", question("q 1", "x")],
  ])("messages with %s are refused", async (_what, entry) => {
    const who = await signUp();
    const id = newId();
    await put(who, id);
    expect((await putEntries(who, id, question("q0", "Good"), entry)).status).toBe(400);
    expect((await putEntries(who, id, question("q1", "a"), question("q1", "b"))).status).toBe(400);
    expect(await texts(who, id)).toEqual([]);
  });

  /** Three messages, of 1.9 MB each. */
  const long = (savedAt = AT) =>
    ["q1", "q2", "q3"].map((id) => question(id, "x".repeat(1_900_000), { saved_at: savedAt }));

  test("chats take at most the megabytes that the operator set, and room again when some are deleted", async () => {
    const who = await signUp();
    const [first, second, third] = [newId(), newId(), newId()];
    for (const id of [first, second, third]) await put(who, id);
    for (const id of [first, second]) expect((await putEntries(who, id, ...long())).status).toBe(204);
    expect((await putEntries(who, first, ...long("2026-11-30T08:00:01.000Z"))).status).toBe(204);
    const answer = await putEntries(who, third, ...long());
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "conversations.full"]);
    await call(who, `/${first}`, "DELETE");
    expect((await putEntries(who, third, ...long())).status).toBe(204);
    await call(who, "", "DELETE");
    const { bytes } = await server.db
      .selectFrom("conversation_owners")
      .select("bytes")
      .where("user_id", "=", who.userId)
      .executeTakeFirstOrThrow();
    expect(Number(bytes)).toBe(0);
  });

  test("a page of long messages ends after 8 MB, and the next one goes on", async () => {
    const who = await signUp();
    const id = newId();
    await put(who, id);
    await putEntries(who, id, ...long());
    await putEntries(who, id, ...long().map((entry) => ({ ...entry, id: `${entry.id}-2` })));
    const sizes: number[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page = (await call(who, `/${id}/entries?after=${after}`)).body as EntryPage;
      sizes.push(page.items.length);
      after = page.next_after;
    }
    expect(sizes).toEqual([5, 1]);
  });
});

describe("changes of conversations", () => {
  test("another device gets what changed since it last asked, and what was deleted", async () => {
    const who = await signUp();
    const [first, second] = [newId(), newId()];
    await put(who, first);
    const start = await changes(who, 0);
    expect(start).toMatchObject({ items: [{ id: first }], deleted_ids: [], has_more: false });
    expect(await changes(who, start.revision)).toMatchObject({ items: [], revision: start.revision });
    await put(who, second);
    await putEntries(who, first, question("q1", "Hello"));
    const next = await changes(who, start.revision);
    expect(next.items.map(({ id }) => id)).toEqual([second, first]);
    await call(who, "", "DELETE");
    expect((await changes(who, next.revision)).deleted_ids.sort()).toEqual([first, second].sort());
  });

  test("large conversations are listed in pages of 8 MB, each once, also beside deletions", async () => {
    const who = await signUp();
    const ids = Array.from({ length: 24 }, newId);
    const selected = Object.fromEntries(
      Array.from({ length: 2_200 }, (_, index) => [`place-${index}`, "x".repeat(190)]),
    );
    for (const id of ids) expect((await put(who, id, { selected })).status).toBe(200);
    const deleted = newId();
    await put(who, deleted);
    await call(who, `/${deleted}`, "DELETE");
    const listed: string[] = [];
    const removed: string[] = [];
    const sizes: number[] = [];
    let page = await changes(who, 0);
    for (;;) {
      sizes.push(page.items.length);
      listed.push(...page.items.map(({ id }) => id));
      removed.push(...page.deleted_ids);
      if (!page.has_more) break;
      page = await changes(who, page.revision);
    }
    expect([listed, removed]).toEqual([ids, [deleted]]);
    expect(sizes[0]).toBeLessThan(24);
  });

  test("conversations that are deleted at once have a revision each, so that a page can end between them", async () => {
    const who = await signUp();
    for (let count = 0; count < 3; count++) await put(who, newId());
    await call(who, "", "DELETE");
    const rows = await server.db
      .selectFrom("deleted_conversations")
      .select("revision")
      .where("user_id", "=", who.userId)
      .orderBy("revision")
      .execute();
    expect(rows.map(({ revision }) => Number(revision))).toEqual([4, 5, 6]);
    await put(who, newId());
    expect((await changes(who, 6)).items).toHaveLength(1);
  });

  test("changes that are made at once are each listed once, in pages", async () => {
    const who = await signUp();
    const ids = Array.from({ length: 40 }, newId);
    await Promise.all(ids.map((id) => put(who, id)));
    const { items, revision } = await changes(who, 0);
    expect(items.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(revision).toBe(40);
  });
});

test("a conversation whose settings or choices are too large is refused", async () => {
  const who = await signUp();
  const settings = { system: "x".repeat(65_536) };
  const selected = Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`place-${index}`, "x".repeat(190)]));
  for (const fields of [{ settings }, { selected }]) expect((await put(who, newId(), fields)).status).toBe(400);
  expect(await titles(who)).toEqual([]);
});

describe("the search", () => {
  const search = async (who: Account, q: string) =>
    (
      (await call(who, `/search?q=${encodeURIComponent(q)}`)).body as {
        items: { conversation: { title: string }; excerpt: string }[];
      }
    ).items;

  test("finds archived conversations, and those of a folder by its name", async () => {
    const who = await signUp();
    await put(who, newId(), { title: "Sorting", folder: "Work", is_archived: true });
    await put(who, newId(), { title: "Cooking", folder: "Home" });
    for (const term of ["sort", "work", "work sorting"])
      expect((await search(who, term)).map(({ conversation }) => conversation.title)).toEqual(["Sorting"]);
  });

  test("finds by beginnings of words in messages and titles, in any order and case", async () => {
    const who = await signUp();
    const [first, second] = [newId(), newId()];
    await put(who, first, { title: "Sorting" });
    await putEntries(who, first, question("q1", "Which sort is stable and works in place?"));
    await put(who, second, { title: "Travel" });
    await putEntries(who, second, question("q1", "Wann fährt der Zug nach Zürich?"), answer("a1", "東京へ行く"));
    for (const [q, title] of [
      ["stab", "Sorting"],
      ["PLACE stable", "Sorting"],
      ["sorting", "Sorting"],
      ["zürich", "Travel"],
      ["東京", "Travel"],
      ["tra", "Travel"],
    ])
      expect((await search(who, q ?? "")).map(({ conversation }) => conversation.title)).toEqual([title]);
    for (const q of ["stabilize", "table", "stable zürich", "?!"]) expect(await search(who, q)).toEqual([]);
    expect((await search(who, "works"))[0]?.excerpt).toBe("Which sort is stable and works in place?");
  });

  test("finds nothing in the trash and in what was deleted", async () => {
    const who = await signUp();
    const id = newId();
    await put(who, id, { title: "Discarded" });
    await put(who, id, { title: "Discarded", version: 1, deleted_at: AT });
    expect(await search(who, "discarded")).toEqual([]);
  });
});

test("an organization keeps no chats on the server until one of its admins decides so", async () => {
  const who = await server.signUp();
  expect(errorCode((await put(who, newId())).body)).toBe("conversations.not_kept");
  const { body } = await server.call("/api/organization", {
    method: "PUT",
    token: who.token,
    body: { chat_storage: "server" },
  });
  expect(body).toMatchObject({ chat_storage: "server", chat_retention_days: null });
  expect((await put(who, newId())).status).toBe(200);
});

describe("what an organization decides about chats", () => {
  const decide = (who: Account, body: object) =>
    server.call("/api/organization", { method: "PUT", token: who.token, body });

  test.each(["browser", "off"])(
    "with %s the server takes no chats, and people can still read and delete theirs",
    async (storage) => {
      const who = await signUp();
      const id = newId();
      await put(who, id);
      expect((await decide(who, { chat_storage: storage })).body).toMatchObject({ chat_storage: storage });
      for (const answer of [await put(who, newId()), await putEntries(who, id, question("q1", "x"))])
        expect([answer.status, errorCode(answer.body)]).toEqual([403, "conversations.not_kept"]);
      expect(await titles(who)).toEqual(["Sorting"]);
      expect((await call(who, `/${id}`, "DELETE")).status).toBe(204);
    },
  );

  test("chats are deleted once they are unchanged for the days that the organization keeps them", async () => {
    const who = await signUp();
    await decide(who, { chat_retention_days: 1 });
    const [old, fresh] = [newId(), newId()];
    await put(who, old, { title: "Old", updated_at: "2999-01-01T00:00:00.000Z" });
    clock.at += DAY_MS;
    await put(who, fresh, { title: "Fresh" });
    clock.at += 1;
    await server.runJob("delete old conversations");
    expect(await titles(who)).toEqual(["Fresh"]);
    expect((await changes(who, 0)).deleted_ids).toEqual([old]);
  });

  test("the trash is emptied after 30 days, and what a person left behind 30 days after their last change", async () => {
    const [who, gone] = [await signUp(), await signUp()];
    const id = newId();
    await put(who, id);
    await put(who, id, { version: 1, deleted_at: AT });
    await put(gone, newId());
    await server.db.deleteFrom("memberships").where("user_id", "=", gone.userId).execute();
    const left = () =>
      server.db.selectFrom("conversations").select("id").where("user_id", "in", [who.userId, gone.userId]).execute();
    clock.at += 30 * DAY_MS;
    await server.runJob("delete old conversations");
    expect(await left()).toHaveLength(2);
    clock.at += 1;
    await server.runJob("delete old conversations");
    expect(await left()).toHaveLength(0);
  });
});

test("a key needs the scope chats.write, and an admin who acts as a person sees no chats", async () => {
  const who = await signUp();
  const withKey = async (scopes: string[]) => {
    const { secret } = await server.createKey(who, { scopes });
    return (await server.call("/api/conversations", { token: secret })).status;
  };
  expect(await withKey(["api.access", "user.read"])).toBe(403);
  expect(await withKey(["chats.write"])).toBe(200);
  const admin = await server.signInAdmin();
  const started = await server.call(`/api/admin/users/${who.userId}/impersonate`, {
    token: admin.token,
    body: { reason: "Ticket 7", password: PASSWORD },
  });
  const token = started.headers.get("x-session-token") ?? "";
  const answer = await server.call("/api/conversations", { token });
  expect([answer.status, errorCode(answer.body)]).toEqual([403, "impersonation_forbidden"]);
});

test("the export of the account has the chats, but not for a key without the scope", async () => {
  const who = await signUp();
  const id = newId();
  await put(who, id, { title: "Exported" });
  await putEntries(who, id, question("q1", "Hello"), answer("a1", "Good day"));
  const exported = async (token: string) => (await server.call("/api/account/export", { token })).body;
  expect(await exported(who.token)).toMatchObject({
    conversations: [{ id, organization_id: who.organizationId, title: "Exported" }],
    conversation_messages: [
      { conversation_id: id, text: "Hello" },
      { conversation_id: id, text: "Good day" },
    ],
  });
  const { secret } = await server.createKey(who, { scopes: ["user.read"] });
  expect(await exported(secret)).not.toHaveProperty("conversations");
});
