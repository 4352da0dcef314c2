import { errorCode } from "@feather/testing/errors";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";
import { type Collection, createCollectionCalls, EMBEDDING_MODEL, meaningOf } from "./testing/collections.ts";

let server: TestServer;
let calls: ReturnType<typeof createCollectionCalls>;
let owner: Account;

beforeAll(async () => {
  server = await createTestServer();
  calls = createCollectionCalls(server);
});
beforeEach(async () => {
  owner = await server.signUpOnPlan({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

const list = async (who: Account) => (await calls.read<{ items: Collection[] }>(who, "")).items;
const namesOf = async (who: Account) => (await list(who)).map(({ name }) => name);
async function refusalOf(who: Account | { token: string }, path: string, method = "GET", body?: object) {
  const answer = await calls.call(who, path, method, body);
  return [answer.status, errorCode(answer.body)];
}
const NOT_FOUND = [404, "collections.not_found"];
const NOT_YOURS = [403, "collections.not_yours"];
const runEmbeddings = () => server.addUpstream({ embed: meaningOf }, [EMBEDDING_MODEL]);
const tag = (tags: string[]) =>
  server.db.updateTable("models").set({ tags }).where("id", "=", EMBEDDING_MODEL).execute();

describe("a collection", () => {
  test("is created with defaults, read, changed and deleted, and all of that is in the audit log", async () => {
    const made = await calls.create(owner, { name: "Handbook" });
    expect(made).toMatchObject({
      name: "Handbook",
      description: "",
      access: "members",
      embedding_model: null,
      may_change: true,
      documents: 0,
      waiting_documents: 0,
      failed_documents: 0,
      passages: 0,
    });
    expect(await calls.read(owner, `/${made.id}`)).toEqual(made);
    const body = { name: "Rules", description: "How we work.", access: "owner" };
    expect(await calls.read(owner, `/${made.id}`, "PUT", body)).toMatchObject(body);
    expect(await namesOf(owner)).toEqual(["Rules"]);
    expect((await calls.call(owner, `/${made.id}`, "DELETE")).status).toBe(204);
    expect(await refusalOf(owner, `/${made.id}`)).toEqual(NOT_FOUND);
    const log = await server.db
      .selectFrom("audit_log")
      .select(["action", "details"])
      .where("target", "=", made.id)
      .orderBy("sequence")
      .execute();
    expect(log.map(({ action }) => action)).toEqual(["collections.create", "collections.update", "collections.delete"]);
    expect(JSON.stringify(log)).not.toContain("Rules");
  });

  test("is changed by more calls at once than there are connections to the database", async () => {
    const { id } = await calls.create(owner);
    const names = Array.from({ length: 16 }, (_, index) => `Handbook ${index}`);
    const answers = await Promise.all(names.map((name) => calls.call(owner, `/${id}`, "PUT", { name })));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    expect(names).toContain((await calls.read<Collection>(owner, `/${id}`)).name);
  });

  test("is listed by name, numbers by their value", async () => {
    for (const name of ["Part 10", "part 9", "Annex"]) await calls.create(owner, { name });
    expect(await namesOf(owner)).toEqual(["Annex", "part 9", "Part 10"]);
  });

  test("has its name and description encrypted in the database", async () => {
    const { id } = await calls.create(owner, { name: "Layoffs", description: "Nobody knows yet." });
    const row = await server.db.selectFrom("collections").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect(row.sealed_fields.toString("latin1")).not.toMatch(/Layoffs|Nobody/);
  });

  test("is refused with 409 when the organization has 100", async () => {
    await calls.create(owner);
    const row = await server.db
      .selectFrom("collections")
      .selectAll()
      .where("organization_id", "=", owner.organizationId)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 99 }, (_, index) => ({ ...row, id: `${row.id}${index}` }));
    await server.db.insertInto("collections").values(copies).execute();
    expect(await refusalOf(owner, "", "POST", { name: "One more", embedding_model: null })).toEqual([
      409,
      "collections.full",
    ]);
  });

  test.each([
    ["no name", {}],
    ["a name of spaces", { name: "  " }],
    ["a name that turns the direction of text", { name: "a\u202eb" }],
    ["an access that is not known", { name: "a", access: "everybody" }],
    ["a field that is not known", { name: "a", colour: "red" }],
  ])("with %s is refused with 400", async (_what, body) => {
    expect(await refusalOf(owner, "", "POST", body)).toEqual([400, "invalid_request"]);
    expect(await list(owner)).toEqual([]);
  });
});

describe("the model of a collection", () => {
  test("is one for embeddings that can be called when none is named", async () => {
    await runEmbeddings();
    await server.api.catalogue.ensureModels([{ id: EMBEDDING_MODEL, contextLength: null, parameterSize: null }]);
    await tag(["embedding"]);
    expect(await calls.read(owner, "", "POST", { name: "a" })).toMatchObject({ embedding_model: EMBEDDING_MODEL });
  });

  test("is none where no model for embeddings can be called", async () => {
    await server.addUpstream({});
    expect(await calls.read(owner, "", "POST", { name: "a" })).toMatchObject({ embedding_model: null });
  });

  test("has to be one that the organization can call", async () => {
    const body = { name: "a", embedding_model: "acme/unknown" };
    expect(await refusalOf(owner, "", "POST", body)).toEqual([404, "model_not_found"]);
    const { id } = await calls.create(owner);
    expect(await refusalOf(owner, `/${id}`, "PUT", body)).toEqual([404, "model_not_found"]);
    expect(await namesOf(owner)).toEqual(["Handbook"]);
  });
});

describe("a collection for members", () => {
  test("is read by all who may call models, and changed by its creator and admins", async () => {
    const developer = await calls.addMember(owner, "developer");
    const other = await calls.addMember(owner, "editor");
    const { id } = await calls.create(developer, { name: "Shared" });
    for (const who of [owner, developer, other]) expect(await namesOf(who)).toEqual(["Shared"]);
    expect((await list(other))[0]?.may_change).toBe(false);
    expect((await list(owner))[0]?.may_change).toBe(true);
    expect(await refusalOf(other, `/${id}`, "PUT", { name: "Mine" })).toEqual(NOT_YOURS);
    expect(await refusalOf(other, `/${id}`, "DELETE")).toEqual(NOT_YOURS);
    const upload = await calls.upload(other, id, "a.txt", "words");
    expect([upload.status, errorCode(upload.body)]).toEqual(NOT_YOURS);
    expect(await calls.read(owner, `/${id}`, "PUT", { name: "Ours" })).toMatchObject({ name: "Ours" });
  });

  test("is made private by its creator alone, so that no admin takes it", async () => {
    const developer = await calls.addMember(owner, "developer");
    const { id } = await calls.create(developer);
    const body = { name: "Handbook", access: "owner" };
    expect(await refusalOf(owner, `/${id}`, "PUT", body)).toEqual(NOT_YOURS);
    expect(await calls.read(developer, `/${id}`, "PUT", body)).toMatchObject({ access: "owner" });
    const renamed = await calls.read(developer, `/${id}`, "PUT", { name: "Rules" });
    expect(renamed).toMatchObject({ name: "Rules", access: "owner" });
  });

  test("stays when the person who created it leaves", async () => {
    const developer = await calls.addMember(owner, "developer");
    await calls.create(developer, { name: "Shared" });
    await server.call(`/api/organization/members/${developer.userId}`, { method: "DELETE", token: owner.token });
    expect(await namesOf(owner)).toEqual(["Shared"]);
  });
});

describe("a collection of one person", () => {
  test("is not there for others, admins included, who count nothing of it", async () => {
    const developer = await calls.addMember(owner, "developer");
    const { id } = await calls.create(developer, { access: "owner" });
    const { id: documentId } = await calls.add(developer, id, "a.txt", "feathers");
    expect(await list(owner)).toEqual([]);
    const paths = ["", "/documents", `/documents/${documentId}/passages/1`].map((path) => `/${id}${path}`);
    for (const path of paths) expect(await refusalOf(owner, path)).toEqual(NOT_FOUND);
    expect(await refusalOf(owner, `/${id}`, "DELETE")).toEqual(NOT_FOUND);
    expect(await refusalOf(owner, `/${id}/documents/${documentId}`, "DELETE")).toEqual(NOT_FOUND);
    const search = { collection_ids: [id], query: "feathers" };
    expect(await refusalOf(owner, "/search", "POST", search)).toEqual(NOT_FOUND);
  });

  test("is deleted with its documents when that person leaves the organization", async () => {
    const developer = await calls.addMember(owner, "developer");
    const { id } = await calls.create(developer, { access: "owner" });
    await calls.add(developer, id, "a.txt", "feathers");
    await server.call(`/api/organization/members/${developer.userId}`, { method: "DELETE", token: owner.token });
    const left = await server.db
      .selectFrom("collection_passages")
      .selectAll()
      .where("collection_id", "=", id)
      .execute();
    expect(left).toEqual([]);
  });

  test("is kept when that person gets another role", async () => {
    const editor = await calls.addMember(owner, "editor");
    await calls.create(editor, { access: "owner", name: "Mine" });
    await server.call(`/api/organization/members/${editor.userId}`, {
      method: "PUT",
      token: owner.token,
      body: { role: "developer" },
    });
    expect(await namesOf(editor)).toEqual(["Mine"]);
  });
});

describe("collections", () => {
  test("of another organization are not there", async () => {
    const other = await server.signUp();
    const { id } = await calls.create(owner);
    expect(await list(other)).toEqual([]);
    expect(await refusalOf(other, `/${id}`)).toEqual(NOT_FOUND);
    expect(await refusalOf(other, "/search", "POST", { collection_ids: [id], query: "a" })).toEqual(NOT_FOUND);
  });

  test("are refused to viewers, and to keys without their scope", async () => {
    const viewer = await calls.addMember(owner, "viewer");
    expect(await refusalOf(viewer, "")).toEqual([403, "organization_permission_denied"]);
    const { secret } = await server.createKey(owner, { scopes: ["api.access"] });
    expect(await refusalOf({ token: secret }, "")).toEqual([403, "key_scope_denied"]);
    const allowed = await server.createKey(owner, { scopes: ["api.access", "collections.write"] });
    expect((await calls.call({ token: allowed.secret }, "")).status).toBe(200);
  });

  test("are deleted with the account of the only member", async () => {
    const { id } = await calls.create(owner);
    await calls.add(owner, id, "a.txt", "feathers");
    const body = { password: PASSWORD };
    const { status } = await server.call("/api/account", { method: "DELETE", token: owner.token, body });
    expect(status).toBeLessThan(300);
    for (const table of ["collections", "collection_documents", "collection_passages"] as const) {
      const column = table === "collections" ? "id" : "collection_id";
      const { rows } = await server.db
        .selectFrom(table)
        .selectAll()
        .where(column as "id", "=", id)
        .execute()
        .then((found) => ({ rows: found }));
      expect(rows).toEqual([]);
    }
  });
});

describe("the export of an account", () => {
  const exported = async (token: string) =>
    (await server.call("/api/account/export", { token })).body as Record<string, object[] | undefined>;

  test("names the collections and documents of the person, private ones too, and of nobody else", async () => {
    const developer = await calls.addMember(owner, "developer");
    const mine = await calls.create(developer, { name: "Mine", access: "owner" });
    const shared = await calls.create(owner, { name: "Shared" });
    const { id: documentId } = await calls.add(developer, mine.id, "a.txt", "feathers");
    await calls.add(owner, shared.id, "b.txt", "down");
    const body = await exported(developer.token);
    expect(body.collections).toMatchObject([
      { organization_id: owner.organizationId, id: mine.id, name: "Mine", access: "owner", embedding_model: null },
    ]);
    expect(body.collection_documents).toMatchObject([
      { collection_id: mine.id, id: documentId, name: "a.txt", type: "text/plain" },
    ]);
    expect(JSON.stringify(body)).not.toContain("feathers");
  });

  test("has more documents than are read at once", async () => {
    const { id } = await calls.create(owner);
    await calls.add(owner, id, "a.txt", "feathers");
    const row = await server.db
      .selectFrom("collection_documents")
      .selectAll()
      .where("collection_id", "=", id)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 450 }, (_, index) => ({
      ...row,
      id: `${row.id}${index}`,
      content_hash: `${row.content_hash}${index}`,
    }));
    await server.db.insertInto("collection_documents").values(copies).execute();
    const ids = ((await exported(owner.token)).collection_documents ?? []).map((one) => (one as { id: string }).id);
    expect([ids.length, new Set(ids).size]).toEqual([451, 451]);
  });

  test("leaves them out for a key without their scope", async () => {
    await calls.create(owner);
    const { secret } = await server.createKey(owner, { scopes: ["user.read"] });
    expect((await exported(secret)).collections).toBeUndefined();
    const allowed = await server.createKey(owner, { scopes: ["user.read", "collections.write"] });
    expect((await exported(allowed.secret)).collections).toHaveLength(1);
  });
});
