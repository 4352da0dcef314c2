import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { privateModelKey } from "../../../platform/core/models/model-keys.ts";
import { HOSTILE_TEXTS } from "../../../testing/hostile-texts.ts";
import { type Account, createTestServer, type TestServer } from "../../../testing/server.ts";

type Review = {
  id: string;
  mine: boolean;
  rating: number;
  review: string;
  tags: string[];
  helpful_count: number;
  verified_caller: boolean;
};
type List = {
  items: Review[];
  mine: Review | null;
  pagination: { total_items: number };
  summary: { avg: number | null; count: number; histogram: number[]; tag_counts: Record<string, number> };
};

const MODEL = "Qwen/Qwen3-4B";
const PATH = `/api/feather/models/${MODEL}/reviews`;
const clock = createTestClock("2026-11-01T12:00:00Z");

let server: TestServer;
let admin: Account;
let ada: Account;
let bob: Account;
beforeAll(async () => {
  server = await createTestServer({ clock });
  admin = await server.signInAdmin();
  [ada, bob] = await Promise.all([server.signUp(), server.signUp()]);
});
beforeEach(async () => {
  await server.db.deleteFrom("reviews").execute();
});
afterAll(() => server.close());

const write = (by: Account, fields: object = {}) =>
  server.call(PATH, { token: by.token, body: { rating: 4, review: "It does what it says.", ...fields } });
const idOf = async (by: Account, fields: object = {}) => ((await write(by, fields)).body as Review).id;
const read = async (token?: string, query = "") => (await server.call(`${PATH}${query}`, { token })).body as List;
const model = async () =>
  (await server.call(`/api/feather/models/${MODEL}`)).body as { avg_rating: number; total_reviews: number };
const helpful = (by: Account, id: string, body?: object) =>
  server.call(`${PATH}/${id}/helpful`, { method: "POST", token: by.token, body });
const report = (by: Account, id: string, reason = "Advertising") =>
  server.call(`${PATH}/${id}/report`, { token: by.token, body: { reason } });
const hide = (id: string, hidden: boolean) =>
  server.call(`/api/admin/reviews/${id}`, { method: "PUT", token: admin.token, body: { hidden } });
const moderated = async (status = "reported") =>
  (await server.call(`/api/admin/reviews?status=${status}`, { token: admin.token })).body as {
    items: { review: Review; model_id: string; report_count: number; hidden: boolean; reports: { reason: string }[] }[];
  };

describe("reviews", () => {
  test("reviews are recorded in the audit log when their author writes, changes and deletes one", async () => {
    const id = await idOf(ada);
    await write(ada, { rating: 2 });
    await server.call(`${PATH}/${id}`, { method: "DELETE", token: ada.token });
    await server.call(`${PATH}/${id}`, { method: "DELETE", token: ada.token });
    const rows = await server.db
      .selectFrom("audit_log")
      .select(["action", "actor_user_id", "details"])
      .where("target", "=", id)
      .orderBy("sequence")
      .execute();
    const row = { actor_user_id: ada.userId, details: { model_id: MODEL } };
    expect(rows).toEqual([
      { action: "reviews.create", ...row },
      { action: "reviews.update", ...row },
      { action: "reviews.delete", ...row },
    ]);
  });

  test("a user writes one review per model, later writes change it, and the summary follows", async () => {
    expect((await write(ada, { rating: 5, tags: ["coding", "fast"] })).status).toBe(201);
    expect((await write(bob, { rating: 2, tags: ["coding"] })).status).toBe(201);
    expect((await write(bob, { rating: 4 })).status).toBe(200); // at the same moment of the clock
    clock.at += 1_000;
    const changed = await write(bob, { rating: 3, tags: ["coding"] });
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining({ rating: 3, mine: true })]);
    const { items, summary } = await read(ada.token);
    expect(summary).toEqual({ avg: 4, count: 2, histogram: [0, 0, 1, 0, 1], tag_counts: { coding: 2, fast: 1 } });
    expect(items.filter(({ mine }) => mine).map(({ rating }) => rating)).toEqual([5]);
    expect((await read()).items.map(({ mine }) => mine)).toEqual([false, false]);
    expect(await model()).toMatchObject({ avg_rating: 4, total_reviews: 2 });
  });

  test("only the author can delete a review", async () => {
    const mine = await idOf(ada);
    await write(bob, { rating: 1 });
    const stolen = await server.call(`${PATH}/${mine}`, { method: "DELETE", token: bob.token });
    const missing = await server.call(`${PATH}/rev_missing`, { method: "DELETE", token: bob.token });
    expect([stolen.status, stolen.text]).toEqual([404, missing.text]);
    const other = `/api/feather/models/Qwen/Qwen3-8B/reviews/${mine}`;
    expect((await server.call(other, { method: "DELETE", token: ada.token })).status).toBe(404);
    expect((await server.call(`${PATH}/${mine}`, { method: "DELETE", token: ada.token })).status).toBe(204);
    expect((await read()).summary).toMatchObject({ avg: 1, count: 1 });
    expect(await model()).toMatchObject({ avg_rating: 1, total_reviews: 1 });
  });

  test("deleting an account deletes its reviews and updates the summary", async () => {
    const gone = await server.signUp();
    await write(gone, { rating: 1 });
    await write(ada, { rating: 5 });
    await server.db.deleteFrom("users").where("id", "=", gone.userId).execute();
    expect(await model()).toMatchObject({ avg_rating: 5, total_reviews: 1 });
  });

  test("fifty concurrent reviews of one user are stored as one", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => write(ada, { rating: (index % 5) + 1 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(49).fill(200), 201]);
    const { items, summary } = await read();
    expect([items.length, summary.count, (await model()).total_reviews]).toEqual([1, 1, 1]);
  });

  test("counts concurrent reviews of fifty users", async () => {
    const users = await Promise.all(Array.from({ length: 50 }, () => server.signUp()));
    const answers = await Promise.all(users.map((user, index) => write(user, { rating: (index % 5) + 1 })));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(50).fill(201));
    expect((await read()).summary).toMatchObject({ avg: 3, count: 50, histogram: [10, 10, 10, 10, 10] });
    expect(await model()).toMatchObject({ avg_rating: 3, total_reviews: 50 });
  });

  test("a review says whether its author has called the model", async () => {
    const caller = await server.signUp();
    await write(caller);
    expect((await read()).items[0]?.verified_caller).toBe(false);
    await server.addUpstream({}, [MODEL]);
    const body = { model: MODEL, messages: [{ role: "user", content: "x" }] };
    expect((await server.call("/v1/chat/completions", { token: caller.token, body })).status).toBe(200);
    await server.api.gateway.usageWriter.flush();
    expect((await read()).items[0]?.verified_caller).toBe(true);
    await server.removeUpstreams();
  });

  test("lists reviews of a model in the requested order and page", async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => server.signUp()));
    for (const [index, user] of users.entries()) {
      clock.at += 1_000;
      await write(user, { rating: [3, 5, 1, 4, 2][index] });
    }
    const ratings = async (query: string) => (await read(undefined, query)).items.map(({ rating }) => rating);
    expect(await ratings("")).toEqual([2, 4, 1, 5, 3]);
    expect(await ratings("?sort=rating")).toEqual([1, 2, 3, 4, 5]);
    expect(await ratings("?sort=-rating&perPage=2&page=2")).toEqual([3, 2]);
    const [most] = (await read(undefined, "?sort=rating")).items;
    await helpful(ada, most?.id ?? "");
    expect((await ratings("?sort=-helpful_count"))[0]).toBe(1);
    expect((await server.call(`${PATH}?sort=password`)).status).toBe(400);
  });

  test.each([
    ["coding", [5, 4, 3]],
    ["coding,fast", [5, 3]],
    [" fast , coding ,", [5, 3]],
    ["verbose", []],
    ["Coding", []],
    ["no-such-tag", []],
    ["%25", []],
    ["{coding}", []],
    ["", [5, 4, 3, 2]],
  ])("lists reviews with all of the tags %j, and sums up all of them", async (tags, ratings) => {
    const users = await Promise.all(Array.from({ length: 4 }, () => server.signUp()));
    const given = [["fast"], ["coding", "fast"], ["coding"], ["coding", "accurate", "fast"]];
    for (const [index, user] of users.entries()) {
      clock.at += 1_000;
      await write(user, { rating: index + 2, tags: given[index] });
    }
    const found = await read(users[0]?.token, `?tags=${tags}`);
    expect(found.items.map(({ rating }) => rating)).toEqual(ratings);
    expect(found.pagination.total_items).toBe(ratings.length);
    expect(found.summary).toMatchObject({ count: 4, tag_counts: { coding: 3, fast: 3, accurate: 1 } });
    expect(found.mine?.rating).toBe(2);
  });

  test("pages of reviews with a tag have none without it, and a hidden one only for its author", async () => {
    await write(ada, { rating: 1, tags: ["coding"] });
    await write(admin, { rating: 2, tags: ["fast"] });
    const hidden = await idOf(bob, { rating: 3, tags: ["coding"] });
    await hide(hidden, true);
    const ratings = async (token?: string, page = 1) =>
      (await read(token, `?tags=coding&sort=rating&perPage=1&page=${page}`)).items.map(({ rating }) => rating);
    expect([await ratings(), await ratings(undefined, 2)]).toEqual([[1], []]);
    expect([await ratings(bob.token), await ratings(bob.token, 2)]).toEqual([[1], [3]]);
    expect((await server.call(`${PATH}?tags=${"x".repeat(201)}`)).status).toBe(400);
  });

  test("returns the viewer's own review of a model on every page", async () => {
    await write(ada, { rating: 1, tags: ["coding"] });
    clock.at += 1_000;
    await write(bob, { rating: 5 });
    const first = await read(ada.token, "?perPage=1");
    expect(first.items.map(({ rating }) => rating)).toEqual([5]);
    expect(first.mine).toMatchObject({ rating: 1, tags: ["coding"], mine: true });
    expect([(await read()).mine, (await read(admin.token)).mine]).toEqual([null, null]);
  });

  test.each([
    ["no stars", { rating: 0 }],
    ["six stars", { rating: 6 }],
    ["half a star", { rating: 2.5 }],
    ["no words", { review: "" }],
    ["blanks", { review: "  \n " }],
    ["nothing to read", { review: "\u202E" }],
    ["too many words", { review: "a".repeat(4_001) }],
    ["another model's name", { modelId: "Qwen/Qwen3-8B" }],
    ["an unknown tag", { tags: ["nonsense"] }],
    ["a tag twice", { tags: ["coding", "coding"] }],
    ["too many tags", { tags: ["coding", "fast", "accurate", "verbose", "refuses", "roleplay"] }],
    ["an unknown field", { helpful_count: 99 }],
    ["NUL", { review: "It does\0 what it says." }],
  ])("rejects a review with %s", async (_what, fields) => {
    expect((await write(ada, fields)).status).toBe(400);
    expect((await read()).summary.count).toBe(0);
  });

  test("rejects reviews of unknown and private models", async () => {
    const at = (id: string) => server.call(`/api/feather/models/${id}/reviews`, { token: ada.token });
    expect((await at("nobody/nothing")).status).toBe(404);
    const key = privateModelKey(ada.organizationId, "acme/own");
    const row = { id: key, id_lower: key.toLowerCase(), owned_by: "acme", name: "own", model_class_id: "qwen3-8b" };
    const own = { ...row, source: "private", organization_id: ada.organizationId };
    await server.db.insertInto("models").values(own).execute();
    expect((await at("acme/own")).status).toBe(404);
    await server.db.deleteFrom("models").where("id", "=", key).execute();
  });

  test("rejects a review without authentication", async () => {
    expect((await server.call(PATH, { body: { rating: 5, review: "It does what it says." } })).status).toBe(401);
  });
});

describe("votes", () => {
  test("a user votes once and can take the vote back", async () => {
    const id = await idOf(ada);
    expect((await helpful(bob, id)).body).toEqual({ helpful: true, helpful_count: 1 });
    expect((await helpful(bob, id, { helpful: true })).body).toEqual({ helpful: true, helpful_count: 1 });
    expect((await helpful(admin, id, { helpful: true })).body).toEqual({ helpful: true, helpful_count: 2 });
    expect((await read(bob.token)).items[0]).toMatchObject({ helpful: true, helpful_count: 2 });
    for (const token of [ada.token, undefined]) expect((await read(token)).items[0]).toMatchObject({ helpful: false });
    expect((await helpful(bob, id)).body).toEqual({ helpful: false, helpful_count: 1 });
    expect((await helpful(bob, id, { helpful: false })).body).toEqual({ helpful: false, helpful_count: 1 });
    expect((await read()).items[0]).toMatchObject({ helpful_count: 1 });
  });

  test("rejects a vote for one's own review and for an unknown one", async () => {
    const id = await idOf(ada);
    const own = await helpful(ada, id);
    expect([own.status, errorCode(own.body)]).toEqual([409, "reviews.own"]);
    expect((await helpful(bob, "rev_missing")).status).toBe(404);
    const elsewhere = `/api/feather/models/Qwen/Qwen3-8B/reviews/${id}/helpful`;
    expect((await server.call(elsewhere, { method: "POST", token: bob.token })).status).toBe(404);
    expect((await helpful(bob, id, { helpful: "yes please" })).status).toBe(400);
    expect((await read()).items[0]).toMatchObject({ helpful_count: 0 });
  });

  test("fifty concurrent votes of one user count once", async () => {
    const id = await idOf(ada);
    const answers = await Promise.all(Array.from({ length: 50 }, () => helpful(bob, id, { helpful: true })));
    for (const { body } of answers) expect(body).toEqual({ helpful: true, helpful_count: 1 });
    const toggled = await Promise.all(Array.from({ length: 50 }, () => helpful(bob, id)));
    expect(toggled.map(({ status }) => status)).toEqual(Array<number>(50).fill(200));
    expect((await read()).items[0]).toMatchObject({ helpful_count: 1 }); // an even number of turns
  });

  test("counts concurrent votes of fifty users", async () => {
    const id = await idOf(ada);
    const users = await Promise.all(Array.from({ length: 50 }, () => server.signUp()));
    await Promise.all(users.map((user) => helpful(user, id)));
    expect((await read()).items[0]).toMatchObject({ helpful_count: 50 });
    await server.db
      .deleteFrom("users")
      .where(
        "id",
        "in",
        users.slice(0, 10).map(({ userId }) => userId),
      )
      .execute();
    expect((await read()).items[0]).toMatchObject({ helpful_count: 40 });
  });
});

describe("reports", () => {
  test("lists reported reviews for admins, the most reported first", async () => {
    const [one, two] = [await idOf(ada), await idOf(bob, { rating: 1 })];
    expect((await moderated()).items).toEqual([]);
    expect((await report(bob, one)).status).toBe(204);
    expect((await report(admin, two, "Rude")).status).toBe(204);
    expect((await report(ada, two, "Wrong")).status).toBe(204);
    expect((await report(ada, two, "Really wrong")).status).toBe(204); // replaces the first
    const { items } = await moderated();
    expect(items.map(({ review, report_count }) => [review.id, report_count])).toEqual([
      [two, 2],
      [one, 1],
    ]);
    expect(items[0]).toMatchObject({ model_id: MODEL, hidden: false });
    expect(items[0]?.reports.map(({ reason }) => reason).sort()).toEqual(["Really wrong", "Rude"]);
  });

  test("fifty concurrent reports of one user count once", async () => {
    const id = await idOf(ada);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => report(bob, id, `Reason ${index}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(50).fill(204));
    expect((await moderated()).items).toMatchObject([{ report_count: 1 }]);
  });

  test("rejects a report without a reason or of an unknown review", async () => {
    const id = await idOf(ada);
    expect((await report(bob, id, "")).status).toBe(400);
    expect((await report(bob, id, "x".repeat(1_001))).status).toBe(400);
    expect((await report(bob, "rev_missing")).status).toBe(404);
    expect((await server.call(`${PATH}/${id}/report`, { body: { reason: "x" } })).status).toBe(401);
  });

  test("a hidden review is visible to its author only and leaves the summary", async () => {
    const id = await idOf(ada, { rating: 1, tags: ["coding"] });
    await write(bob, { rating: 5 });
    await helpful(bob, id);
    await report(bob, id);
    expect((await hide(id, true)).status).toBe(204);
    expect((await moderated()).items).toEqual([]);
    expect((await moderated("hidden")).items).toMatchObject([{ review: { id }, hidden: true, report_count: 0 }]);
    expect((await moderated("all")).items).toHaveLength(2);
    const seen = await read(bob.token);
    expect([seen.items.length, seen.pagination.total_items]).toEqual([1, 1]);
    expect(seen.summary).toEqual({ avg: 5, count: 1, histogram: [0, 0, 0, 0, 1], tag_counts: {} });
    expect(await model()).toMatchObject({ avg_rating: 5, total_reviews: 1 });
    expect((await read(ada.token)).items).toHaveLength(2);
    expect((await helpful(bob, id)).status).toBe(404);
    expect((await report(bob, id)).status).toBe(404);
    // Writing the hidden review again does not show it again.
    expect((await write(ada, { rating: 2 })).status).toBe(200);
    expect((await read()).items).toHaveLength(1);

    expect((await hide(id, false)).status).toBe(204);
    expect((await read()).items).toHaveLength(2);
    expect(await model()).toMatchObject({ avg_rating: 3.5, total_reviews: 2 });
    expect((await moderated()).items).toEqual([]); // the old reports are decided
    await report(bob, id, "Again");
    expect((await moderated()).items).toMatchObject([{ reports: [{ reason: "Again" }] }]);
  });

  test("only admins moderate reviews, and the audit log records it", async () => {
    const id = await idOf(ada);
    await hide(id, true);
    const acts = await server.db
      .selectFrom("audit_log")
      .select(["action", "actor_user_id"])
      .where("target", "=", id)
      .orderBy("sequence")
      .execute();
    expect(acts.at(-1)).toEqual({ action: "reviews.hide", actor_user_id: admin.userId });
    expect((await hide("rev_missing", true)).status).toBe(404);
    for (const path of ["/api/admin/reviews", `/api/admin/reviews/${id}`])
      expect((await server.call(path, { token: ada.token })).status).toBe(404);
    const body = { hidden: false };
    const attempt = await server.call(`/api/admin/reviews/${id}`, { method: "PUT", token: ada.token, body });
    expect(attempt.status).toBe(404);
    expect((await moderated("hidden")).items).toHaveLength(1);
    expect((await server.call("/api/admin/reviews?status=some", { token: admin.token })).status).toBe(400);
  });
});

describe("tags", () => {
  const set = (items: object[], token = admin.token) =>
    server.call("/api/admin/review-tags", { method: "PUT", token, body: { items } });
  const tags = async () => ((await server.call("/api/feather/review-tags")).body as { items: { id: string }[] }).items;

  test("admins set the tags and their order, and reviews keep deleted tags", async () => {
    const before = await tags();
    expect(before).toHaveLength(14);
    expect(before[0]).toEqual({ id: "roleplay", label: "Roleplay" });
    await write(ada, { tags: ["coding"] });
    const own = [
      { id: "terse", label: " Terse " },
      { id: "kind", label: "Kind" },
    ];
    expect((await set(own)).body).toEqual({
      items: [
        { id: "terse", label: "Terse" },
        { id: "kind", label: "Kind" },
      ],
    });
    expect((await write(bob, { tags: ["coding"] })).status).toBe(400);
    expect((await write(bob, { tags: ["kind"] })).status).toBe(201);
    expect((await read()).summary.tag_counts).toEqual({ coding: 1, kind: 1 });
    expect((await set(before)).status).toBe(200);
  });

  test.each([
    ["none", []],
    [
      "one twice",
      [
        { id: "a", label: "A" },
        { id: "a", label: "B" },
      ],
    ],
    ["a label of blanks", [{ id: "a", label: "  " }]],
    ["an id of other letters", [{ id: "Ä", label: "A" }]],
    ["an id that begins with a dash", [{ id: "-a", label: "A" }]],
    ["no label", [{ id: "a" }]],
  ])("rejects %s as tags", async (_what, items) => {
    expect((await set(items)).status).toBe(400);
    expect(await tags()).toHaveLength(14);
  });

  test("rejects tags from users who are not admins", async () => {
    expect((await set([{ id: "a", label: "A" }], ada.token)).status).toBe(404);
  });
});

describe("hostile texts", () => {
  test("returns hostile texts unchanged as JSON that no browser renders", async () => {
    for (const text of HOSTILE_TEXTS.filter((candidate) => !candidate.includes("\0")).slice(0, 250)) {
      const answer = await write(ada, { review: text });
      expect([text, answer.status]).toEqual([text, 200 + Number(answer.status === 201)]);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      const [item] = (await read()).items;
      expect(item?.review).toBe(text.replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, "").trim());
    }
  });
});
