import type { components } from "@feather/openapi/schema";
import { errorCode } from "@feather/testing/errors";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { createCollectionCalls, EMBEDDING_MODEL, meaningOf } from "./testing/collections.ts";

type FoundPassages = components["schemas"]["FoundPassages"];
let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await createTestServer();
  await server.api.catalogue.ensureModels([{ id: EMBEDDING_MODEL, contextLength: null, parameterSize: null }]);
  await server.db
    .updateTable("models")
    .set({ tags: ["embedding"] })
    .where("id", "=", EMBEDDING_MODEL)
    .execute();
});
beforeEach(async () => {
  owner = await server.signUpOnPlan({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

const post = (body: object, token = owner.token) => server.call("/v1/documents/passages", { token, body });
async function find(body: object): Promise<FoundPassages> {
  const answer = await post(body);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body as FoundPassages;
}
/** A paragraph that fills a passage, about nothing in particular. */
const filler = (index: number) =>
  `Paragraph ${index}. ${"Nothing is said of that here, or anywhere else. ".repeat(20)}`;
/** A text of many passages, of which some say something. */
const longText = (sentences: Readonly<Record<number, string>>, count = 40) =>
  Array.from({ length: count }, (_, index) => `${sentences[index] ?? ""} ${filler(index)}`).join("\n\n");
const MANUAL = {
  name: "manual.txt",
  text: longText({ 7: "Dogs sleep in the shed.", 23: "Take your vacation in May." }),
};
const NO_MODEL = "Searched by words alone, since no model for embeddings can be called now.";
async function listCalls() {
  await server.api.gateway.usageWriter.flush();
  return server.db.selectFrom("requests").selectAll().where("organization_id", "=", owner.organizationId).execute();
}

describe("passages of a long text", () => {
  test("are found by words of the question, with what they were compared by and how many there are", async () => {
    const found = await find({ documents: [MANUAL], query: "Where do dogs sleep?", limit: 3 });
    expect(found.items[0]?.text).toContain("Dogs sleep in the shed.");
    expect(found.items[0]).toMatchObject({
      document: 0,
      document_name: "manual.txt",
      page: null,
      rank_by_meaning: null,
    });
    expect(found.items.length).toBeLessThanOrEqual(3);
    expect(found).toMatchObject({ compared_by: "words", problems: [NO_MODEL] });
    expect(found.documents).toEqual([{ name: "manual.txt", passages: expect.any(Number) }]);
    expect(found.documents[0]?.passages).toBeGreaterThanOrEqual(40);
  });

  test("are found by a question in other words, with a model for embeddings that can be called", async () => {
    await server.addUpstream({ embed: meaningOf }, [EMBEDDING_MODEL]);
    const found = await find({ documents: [MANUAL], query: "Which month suits holidays?" });
    expect(found).toMatchObject({ compared_by: "words_and_meaning", problems: [] });
    expect(found.items[0]).toMatchObject({ rank_by_words: null, rank_by_meaning: 1 });
    expect(found.items[0]?.text).toContain("Take your vacation in May.");
    expect(MANUAL.text.slice(found.items[0]?.start, found.items[0]?.end)).toBe(found.items[0]?.text);
  });

  test("are compared by words alone where that is wanted, which makes no call", async () => {
    const upstream = await server.addUpstream({ embed: meaningOf }, [EMBEDDING_MODEL]);
    const found = await find({ documents: [MANUAL], query: "vacation", embedding_model: null });
    expect(found).toMatchObject({ compared_by: "words", problems: [] });
    expect(upstream.recordedRequests).toEqual([]);
  });

  test("of several texts are in one order, and name their text", async () => {
    const other = { name: "other.txt", text: "An okapi lives here." };
    const found = await find({ documents: [MANUAL, other], query: "okapi" });
    expect(found.items.map(({ document, document_name }) => [document, document_name])).toEqual([[1, "other.txt"]]);
    expect(found.documents.map(({ name }) => name)).toEqual(["manual.txt", "other.txt"]);
  });

  test("name their page in a text with pages", async () => {
    const text = "--- page 1 of 2 ---\nFeathers are light.\n\n--- page 2 of 2 ---\nDown is lighter.";
    const found = await find({ documents: [{ name: "a.pdf", text, has_pages: true }], query: "down" });
    expect(found.items).toMatchObject([{ number: 2, page: 2, text: "Down is lighter." }]);
  });

  test("are none for a question that has nothing to do with an empty text", async () => {
    const found = await find({ documents: [{ name: "a.txt", text: " " }], query: "down" });
    expect(found).toMatchObject({ items: [], documents: [{ name: "a.txt", passages: 0 }] });
  });
});

describe("vectors of passages", () => {
  test("are calls of the caller with receipts, and are not made again for the next question", async () => {
    const upstream = await server.addUpstream({ embed: meaningOf }, [EMBEDDING_MODEL]);
    const { documents } = await find({ documents: [MANUAL], query: "holidays" });
    const inputs = () => upstream.recordedRequests.flatMap(({ body }) => (body as { input: string[] }).input);
    const first = inputs().length;
    expect(first).toBe((documents[0]?.passages ?? 0) + 1);
    const [row] = await listCalls();
    expect(row).toMatchObject({ kind: "embedding", outcome: "completed", user_id: owner.userId });
    const again = await find({ documents: [MANUAL], query: "a hound" });
    expect(again.items[0]?.text).toContain("Dogs sleep");
    expect(inputs().slice(first)).toEqual(["a hound"]);
  });

  test("are not shared between organizations", async () => {
    const upstream = await server.addUpstream({ embed: meaningOf }, [EMBEDDING_MODEL]);
    const body = { documents: [{ name: "a.txt", text: "Take your vacation." }], query: "holidays" };
    await find(body);
    const other = await server.signUpOnPlan({});
    expect((await post(body, other.token)).status).toBe(200);
    const inputs = upstream.recordedRequests.map(({ body: sent }) => (sent as { input: string[] }).input[0]);
    expect(inputs.filter((text) => text === "Take your vacation.")).toHaveLength(2);
  });

  test("that a model refuses are missing, and words alone are compared, with the reason", async () => {
    await server.addUpstream({ embed: meaningOf, fault: { kind: "refuse", status: 400 } }, [EMBEDDING_MODEL]);
    const found = await find({ documents: [MANUAL], query: "vacation", embedding_model: EMBEDDING_MODEL });
    expect(found.compared_by).toBe("words");
    expect(found.problems).toEqual([expect.stringContaining(`since ${EMBEDDING_MODEL} cannot be used`)]);
    expect(found.items[0]?.text).toContain("Take your vacation in May.");
  });

  test("are kept nowhere in the database", async () => {
    await server.addUpstream({ embed: meaningOf }, [EMBEDDING_MODEL]);
    const count = async (table: "collection_passages" | "collection_vectors") =>
      (await server.db.selectFrom(table).selectAll().execute()).length;
    await find({ documents: [MANUAL], query: "holidays" });
    expect([await count("collection_passages"), await count("collection_vectors")]).toEqual([0, 0]);
  });
});

describe("a search in texts is refused", () => {
  test("without a credential, and for a viewer, who calls no models", async () => {
    const body = { documents: [MANUAL], query: "vacation" };
    expect((await server.call("/v1/documents/passages", { body })).status).toBe(401);
    const viewer = await createCollectionCalls(server).addMember(owner, "viewer");
    expect((await post(body, viewer.token)).status).toBe(403);
  });

  test("for a model that is not there", async () => {
    const answer = await post({ documents: [MANUAL], query: "vacation", embedding_model: "acme/none" });
    expect([answer.status, errorCode(answer.body)]).toEqual([404, "model_not_found"]);
  });

  test("for more passages than are compared, before any vector is made", async () => {
    const upstream = await server.addUpstream({ embed: meaningOf }, [EMBEDDING_MODEL]);
    const answer = await post({ documents: [{ name: "a.txt", text: "word ".repeat(1_150_000) }], query: "word" });
    expect([answer.status, errorCode(answer.body)]).toEqual([413, "payload_too_large"]);
    expect(answer.text).toContain("at most 5000 are compared");
    expect(upstream.recordedRequests).toEqual([]);
  });

  test("for a name with characters that cannot be seen", async () => {
    expect((await post({ documents: [{ ...MANUAL, name: "a\u202eb" }], query: "x" })).status).toBe(400);
  });
});
