import { createTestClock } from "@feather/testing/clock";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { createDocumentsRepository } from "./documents.repository.ts";
import { createCollectionCalls, EMBEDDING_MODEL, JOB, meaningOf } from "./testing/collections.ts";

const OTHER_MODEL = "acme/embed-large";
const clock = createTestClock("2026-11-30T08:00:00Z");
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
let server: TestServer;
let calls: ReturnType<typeof createCollectionCalls>;
let owner: Account;
let id: string;

beforeAll(async () => {
  server = await createTestServer({ clock });
  calls = createCollectionCalls(server);
  await server.api.catalogue.ensureModels(
    [EMBEDDING_MODEL, OTHER_MODEL].map((model) => ({ id: model, contextLength: null, parameterSize: null })),
  );
});
beforeEach(async () => {
  owner = await server.signUpOnPlan({});
  ({ id } = await calls.create(owner, { embedding_model: EMBEDDING_MODEL }));
});
afterEach(async () => {
  await server.removeUpstreams();
  await server.db.deleteFrom("collections").execute();
});
afterAll(() => server.close());

/** A text of some passages. */
const passages = (count: number) =>
  Array.from({ length: count }, (_, index) => `${String(index).padStart(1_040, "feather ")}\n`).join("\n");
const embeddings = (fields: object = {}) =>
  server.addUpstream({ embed: meaningOf, ...fields }, [EMBEDDING_MODEL, OTHER_MODEL]);
const refuse = (status: number) => embeddings({ fault: { kind: "refuse", status } });
const run = () => server.runJob(JOB);
const later = (ms: number) => {
  clock.at += ms;
};
async function stateOf(who = owner, collection = id) {
  const [document] = await calls.documents(who, collection);
  if (document === undefined) throw new Error("There is no document.");
  const { state, problem, embedded_passages, next_try_at } = document;
  const waitMs = next_try_at === null ? null : Date.parse(next_try_at) - clock.at;
  return { state, problem, embedded_passages, waitMs };
}
async function listRequests() {
  await server.api.gateway.usageWriter.flush();
  return server.db.selectFrom("requests").selectAll().where("organization_id", "=", owner.organizationId).execute();
}
const READY = { state: "ready", problem: null, waitMs: null };

describe("vectors of documents", () => {
  test("are made in the background, eight passages in a call, charged to the organization of who added them", async () => {
    const upstream = await embeddings();
    await calls.add(owner, id, "a.txt", passages(20));
    expect(await stateOf()).toEqual({ state: "waiting", problem: null, embedded_passages: 0, waitMs: 0 });
    await run();
    expect(await stateOf()).toEqual({ ...READY, embedded_passages: 20 });
    const sent = upstream.recordedRequests.map(({ body }) => (body as { input: string[] }).input.length);
    expect(sent).toEqual([8, 8, 4]);
    const rows = await listRequests();
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({ kind: "embedding", outcome: "completed", user_id: owner.userId, api_key_id: null });
    const receipt = await server.call(`/api/usage/requests/${rows[0]?.id}`, { token: owner.token });
    expect(receipt.body).toMatchObject({ model: EMBEDDING_MODEL, kind: "embedding" });
  });

  test("are due first in the organization that has waited longest, whichever that is", async () => {
    const other = await server.signUpOnPlan({});
    const { id: otherId } = await calls.create(other, { embedding_model: EMBEDDING_MODEL });
    await calls.add(owner, id, "a.txt", "words");
    await calls.add(other, otherId, "a.txt", "words");
    const { listDue } = createDocumentsRepository(server.db);
    for (const waiting of [id, otherId]) {
      const next_try_at = new Date(clock.at - HOUR);
      await server.db.updateTable("collection_documents").set({ next_try_at: clock.now() }).execute();
      await server.db
        .updateTable("collection_documents")
        .set({ next_try_at })
        .where("collection_id", "=", waiting)
        .execute();
      expect((await listDue(clock.now(), 1)).map(({ collection_id }) => collection_id)).toEqual([waiting]);
    }
  });

  test("are encrypted in the database", async () => {
    await embeddings({ embed: () => [1, 0] });
    await calls.add(owner, id, "a.txt", "words");
    await run();
    const row = await server.db.selectFrom("collection_vectors").selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ first_number: 1, passages: 1, dimensions: 2 });
    expect(row.sealed_vectors.includes(Buffer.from(new Float32Array([1, 0]).buffer))).toBe(false);
  });

  test("of several organizations are made in turns, so that a long document holds up nobody", async () => {
    const upstream = await embeddings();
    await calls.add(owner, id, "long.txt", passages(40));
    const other = await server.signUpOnPlan({});
    const { id: otherId } = await calls.create(other, { embedding_model: EMBEDDING_MODEL });
    await calls.add(other, otherId, "short.txt", "zanzibar");
    await run();
    const inputs = upstream.recordedRequests.map(({ body }) => (body as { input: string[] }).input[0]);
    expect(inputs.indexOf("zanzibar")).toBeLessThan(2);
    expect(await stateOf(other, otherId)).toMatchObject(READY);
  });

  test("go on where they were when the process died in the middle", async () => {
    const dying = new AbortController();
    let answered = 0;
    const embed = (text: string) => {
      if (answered++ < 8) return meaningOf(text);
      dying.abort();
      return new Promise<number[]>(() => {});
    };
    await embeddings({ embed });
    await calls.add(owner, id, "a.txt", passages(20));
    await server.platform.jobs.find(({ name }) => name === JOB)?.run(dying.signal);
    expect(await stateOf()).toMatchObject({ state: "embedding", problem: null, embedded_passages: 8, waitMs: 0 });
    await server.removeUpstreams();
    await embeddings();
    await run();
    expect(await stateOf()).toEqual({ ...READY, embedded_passages: 20 });
    const rows = await server.db
      .selectFrom("collection_vectors")
      .select(["first_number", "passages"])
      .orderBy("first_number")
      .execute();
    expect(rows).toEqual([
      { first_number: 1, passages: 8 },
      { first_number: 9, passages: 8 },
      { first_number: 17, passages: 4 },
    ]);
  });

  test("are stored once when two processes make them", async () => {
    await embeddings();
    await calls.add(owner, id, "a.txt", passages(10));
    await Promise.all([run(), run()]);
    expect(await stateOf()).toEqual({ ...READY, embedded_passages: 10 });
    expect(await server.db.selectFrom("collection_vectors").selectAll().execute()).toHaveLength(2);
  });
});

describe("vectors that cannot be made", () => {
  test.each([
    ["is busy", 503],
    ["fails", 500],
  ])("are tried again after 10, 20 and 40 seconds while the backend %s", async (_what, status) => {
    await refuse(status);
    await calls.add(owner, id, "a.txt", "words");
    for (const seconds of [10, 20, 40]) {
      await run();
      expect(await stateOf()).toMatchObject({ state: "failed", problem: expect.any(String), waitMs: seconds * SECOND });
      await run(); // too early
      later(seconds * SECOND);
    }
    await server.removeUpstreams();
    await embeddings();
    await run();
    expect(await stateOf()).toEqual({ ...READY, embedded_passages: 1 });
  });

  test("are tried again each hour when the model refuses them, and cost nothing meanwhile", async () => {
    await server.addUpstream({}, ["feather/demo"]);
    await calls.add(owner, id, "a.txt", "words");
    await server.db.updateTable("models").set({ disabled_at: clock.now() }).where("id", "=", EMBEDDING_MODEL).execute();
    server.api.catalogue.callableModels.invalidate();
    await run();
    expect(await stateOf()).toMatchObject({ state: "failed", waitMs: HOUR });
    await server.db.updateTable("models").set({ disabled_at: null }).where("id", "=", EMBEDDING_MODEL).execute();
    server.api.catalogue.callableModels.invalidate();
    await embeddings();
    later(HOUR);
    await run();
    expect(await stateOf()).toMatchObject(READY);
  });

  test("stop with the reason when credits are missing, and go on when there are some", async () => {
    const poor = await server.signUpOnPlan({ billing_mode: "request_pricing" });
    const { id: collection } = await calls.create(poor, { embedding_model: EMBEDDING_MODEL });
    await embeddings();
    await calls.add(poor, collection, "a.txt", "words");
    await run();
    expect(await stateOf(poor, collection)).toMatchObject({
      state: "failed",
      problem: expect.stringContaining("credits"),
      embedded_passages: 0,
      waitMs: HOUR,
    });
    const event = { kind: "top_up", description: "Top-up", reference: "collections:1" } as const;
    await server.api.credits.credits.grant(poor.organizationId, 100n * 10n ** 9n, event);
    later(HOUR);
    await run();
    expect(await stateOf(poor, collection)).toMatchObject(READY);
  });

  test("stop with the reason when the person who added the document has left, until another person sets the model", async () => {
    const developer = await calls.addMember(owner, "developer");
    const shared = await calls.create(developer, { embedding_model: EMBEDDING_MODEL });
    await calls.add(developer, shared.id, "a.txt", "words");
    await server.call(`/api/organization/members/${developer.userId}`, { method: "DELETE", token: owner.token });
    const upstream = await embeddings();
    await run();
    expect(await stateOf(owner, shared.id)).toMatchObject({
      state: "failed",
      problem: expect.stringContaining("may not call models here any more"),
      waitMs: HOUR,
    });
    expect(upstream.recordedRequests).toEqual([]);
    const body = { name: "Handbook", embedding_model: OTHER_MODEL };
    await calls.read(owner, `/${shared.id}`, "PUT", body);
    await run();
    expect(await stateOf(owner, shared.id)).toMatchObject(READY);
  });

  test("say that a model's vectors cannot be compared", async () => {
    await embeddings({ embed: (text: string) => (text === "one" ? [1] : []) });
    await calls.add(owner, id, "a.txt", "two");
    await run();
    expect(await stateOf()).toMatchObject({ state: "failed", embedded_passages: 0 });
    await calls.add(owner, id, "b.txt", "three");
    const collection = await calls.read(owner, `/${id}`);
    expect(collection).toMatchObject({ documents: 2, waiting_documents: 1, failed_documents: 1 });
  });

  test("leave other documents of the organization as they are", async () => {
    await embeddings({ embed: (text: string) => (text === "bad" ? [] : [1, 0]) });
    await calls.add(owner, id, "bad.txt", "bad");
    await calls.add(owner, id, "good.txt", "good");
    await run();
    const states = (await calls.documents(owner, id)).map(({ name, state }) => [name, state]).sort();
    expect(states).toEqual([
      ["bad.txt", "failed"],
      ["good.txt", "ready"],
    ]);
  });
});

describe("another model of a collection", () => {
  const set = (embedding_model: string | null) =>
    calls.read(owner, `/${id}`, "PUT", { name: "Handbook", embedding_model });

  test("has all vectors made anew by that model", async () => {
    const upstream = await embeddings();
    await calls.add(owner, id, "a.txt", passages(9));
    await run();
    await set(OTHER_MODEL);
    expect(await stateOf()).toMatchObject({ state: "waiting", embedded_passages: 0 });
    const before = upstream.recordedRequests.length;
    await run();
    expect(await stateOf()).toEqual({ ...READY, embedded_passages: 9 });
    const models = upstream.recordedRequests.slice(before).map(({ body }) => (body as { model: string }).model);
    expect(models).toEqual([`up:${OTHER_MODEL}`, `up:${OTHER_MODEL}`]);
  });

  test("that is set while vectors are being made gets no vectors of the one before", async () => {
    const gate = Promise.withResolvers<void>();
    const upstream = await embeddings({ embed: (text: string) => gate.promise.then(() => meaningOf(text)) });
    await calls.add(owner, id, "a.txt", "words");
    const running = run();
    await waitFor(() => expect(upstream.recordedRequests).toHaveLength(1));
    await set(null);
    gate.resolve();
    await running;
    expect(await stateOf()).toEqual({ ...READY, embedded_passages: 0 });
    expect(await server.db.selectFrom("collection_vectors").selectAll().execute()).toEqual([]);
  });

  test("that is set while the one before is about to fail keeps its turn, and nothing of that failure", async () => {
    const gate = Promise.withResolvers<void>();
    const embed = (text: string) => gate.promise.then(() => (text === "words" ? [] : [1]));
    const upstream = await embeddings({ embed });
    await calls.add(owner, id, "a.txt", "words");
    const running = run();
    await waitFor(() => expect(upstream.recordedRequests).toHaveLength(1));
    await set(null);
    gate.resolve();
    await running;
    expect(await stateOf()).toEqual({ ...READY, embedded_passages: 0 });
  });

  test("is not another one when only the name changes", async () => {
    await embeddings();
    await calls.add(owner, id, "a.txt", "words");
    await run();
    await calls.read(owner, `/${id}`, "PUT", { name: "Rules" });
    expect(await stateOf()).toEqual({ ...READY, embedded_passages: 1 });
    expect(await calls.read(owner, `/${id}`)).toMatchObject({ embedding_model: EMBEDDING_MODEL });
  });

  test("can be none, after which words alone are compared", async () => {
    await embeddings();
    await calls.add(owner, id, "a.txt", "feathers");
    await run();
    await set(null);
    const result = await calls.search(owner, [id], "feathers");
    expect([result.compared_by, result.items.length]).toEqual(["words", 1]);
  });
});

test("a document that is deleted while its vectors are made leaves none", async () => {
  const gate = Promise.withResolvers<void>();
  const upstream = await embeddings({ embed: (text: string) => gate.promise.then(() => meaningOf(text)) });
  const { id: documentId } = await calls.add(owner, id, "a.txt", "words");
  const running = run();
  await waitFor(() => expect(upstream.recordedRequests).toHaveLength(1));
  await calls.call(owner, `/${id}/documents/${documentId}`, "DELETE");
  gate.resolve();
  await running;
  expect(await server.db.selectFrom("collection_vectors").selectAll().execute()).toEqual([]);
});
