import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const clock = createTestClock("2026-11-01T12:00:00Z");
const MODEL = "Qwen/Qwen3-32B";
let server: TestServer;
let admin: Account;
let classId = "";

beforeAll(async () => {
  server = await createTestServer({ clock });
  admin = await server.signInAdmin();
  const model = await server.db.selectFrom("models").selectAll().where("id", "=", MODEL).executeTakeFirstOrThrow();
  classId = model.model_class_id;
});
afterAll(() => server.close());

const RATES = { prompt: "0.0000001", completion: "0.0000004" };
const add = (model: string, body: object) =>
  server.call(`/api/admin/base-models/${model}/prices`, { token: admin.token, body });
const list = async (query = "") =>
  (await server.call(`/api/admin/prices${query}`, { token: admin.token })).body as {
    items: { id: string; model: string; prompt: string }[];
    pagination: { total_items: number };
  };
const priceOf = async (id: string, parameterSize: number | null = 32e9) =>
  (await server.api.prices.priceBook.findPrice({ key: id, classId, parameterSize }))?.prompt.replace(/0+$/, "");

describe("a price", () => {
  test("a price is set for a model in any letter case, and applies at once", async () => {
    const { status, body } = await add("qwen/qwen3-32b", { ...RATES, audio_second: "0.0001", request: "0.001" });
    expect([status, body]).toEqual([
      201,
      {
        ...RATES,
        id: expect.stringMatching(/^price_/),
        scope: "model",
        model: MODEL,
        image: "0",
        audio_second: "0.0001",
        character: "0",
        request: "0.001",
        effective_at: clock.now().toISOString(),
        created_at: clock.now().toISOString(),
      },
    ]);
    expect(await priceOf(MODEL)).toBe("0.0000001");
    expect((await list(`?model=${MODEL}`)).items[0]).toEqual(body);
  });

  test("a price applies from its effective date, and the previous one until then", async () => {
    clock.at += 60_000;
    await add(MODEL, RATES);
    await add(MODEL, { prompt: "0.5", completion: "1", effective_at: new Date(clock.at + 3_600_000).toISOString() });
    expect(await priceOf(MODEL)).toBe("0.0000001");
    clock.at += 3_599_999;
    expect(await priceOf(MODEL)).toBe("0.0000001");
    clock.at += 1;
    expect(await priceOf(MODEL)).toBe("0.5");
    server.api.prices.priceBook.invalidate();
    expect(await priceOf(MODEL)).toBe("0.5");
    const prices = (await list(`?model=${MODEL}`)).items.map(({ prompt }) => prompt);
    expect(prices.slice(0, 2)).toEqual(["0.5", "0.0000001"]);
  });

  test("a price is the model's own, else that of its class, else that of its size", async () => {
    expect(await priceOf("someone/else")).toBe("0.00000025");
    expect(await priceOf("someone/else", null)).toBe("0.0000006");
    expect((await add(classId, { prompt: "0.7", completion: "1" })).body).toMatchObject({
      scope: "model_class",
      model: classId,
    });
    expect(await priceOf("someone/else")).toBe("0.7");
    expect((await add("up-to-34b", { prompt: "0.9", completion: "1" })).body).toMatchObject({ scope: "size" });
    expect(
      await server.api.prices.priceBook.findPrice({ key: "a/b", classId: "none", parameterSize: 30e9 }),
    ).toMatchObject({
      scope: "size",
      target: "up-to-34b",
      prompt: "0.900000000000000",
    });
  });

  test("a price exists for every model on a new server", async () => {
    const models = await server.db.selectFrom("models").select(["id", "model_class_id", "parameter_size"]).execute();
    const priced = await server.api.prices.priceBook.createPriceLookup();
    const without = models.filter(
      ({ id, model_class_id, parameter_size }) =>
        priced({ key: id, classId: model_class_id, parameterSize: parameter_size }) === null,
    );
    expect(models.length).toBeGreaterThan(10);
    expect(without).toEqual([]);
  });

  test("a price is returned in the form of the contract", async () => {
    const priced = await server.api.prices.priceBook.createPriceLookup();
    expect(priced({ key: "a/b", classId: "none", parameterSize: 1e9 })).toEqual({
      prompt: "0.00000005",
      completion: "0.0000001",
      image: "0",
      audio_second: "0",
      character: "0",
      request: "0",
      input: 0.05,
      output: 0.1,
    });
  });

  test("a price is recorded in the audit log", async () => {
    clock.at += 1_000;
    const { body } = await add(MODEL, RATES);
    const act = await server.db.selectFrom("audit_log").selectAll().orderBy("sequence", "desc").executeTakeFirst();
    expect(act).toMatchObject({
      action: "prices.create",
      target: MODEL,
      actor_user_id: admin.userId,
      details: { price: (body as { id: string }).id, prompt: RATES.prompt },
    });
  });

  test.each([
    ["changed", "update prices set prompt = 0"],
    ["deleted", "delete from prices"],
  ])("a price cannot be %s", async (_what, statement) => {
    await expect(sql.raw(statement).execute(server.db)).rejects.toThrow("append-only");
  });

  test.each([
    ["an unknown model", "owner/none", RATES, 404, "prices.unknown_model"],
    ["a moment in the past", MODEL, { ...RATES, effective_at: "2026-10-01T00:00:00Z" }, 400, "invalid_request"],
    ["a number below zero", MODEL, { ...RATES, prompt: "-1" }, 400, "invalid_request"],
    ["an exponent", MODEL, { ...RATES, prompt: "1e-7" }, 400, "invalid_request"],
    ["more places than are kept", MODEL, { ...RATES, prompt: "0.0000000000000001" }, 400, "invalid_request"],
    ["no price for answers", MODEL, { prompt: "0.1" }, 400, "invalid_request"],
    ["a date that is none", MODEL, { ...RATES, effective_at: "soon" }, 400, "invalid_request"],
    ["a field of the server", MODEL, { ...RATES, created_by: "usr_1" }, 400, "invalid_request"],
  ])("a price is rejected with %s", async (_what, model, body, status, code) => {
    const before = (await list()).pagination.total_items;
    const answer = await add(model, body);
    expect([answer.status, errorCode(answer.body)]).toEqual([status, code]);
    expect((await list()).pagination.total_items).toBe(before);
  });

  test("a price is added once by ten concurrent calls with the same effective date", async () => {
    const effective_at = new Date(clock.at + 86_400_000).toISOString();
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(MODEL, { ...RATES, effective_at })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
    expect(errorCode(answers.find(({ status }) => status === 409)?.body)).toBe("prices.exists");
  });

  test("a price cannot be read or set by users", async () => {
    const { token } = await server.signUp();
    expect((await server.call("/api/admin/prices", { token })).status).toBe(404);
    expect((await server.call(`/api/admin/base-models/${MODEL}/prices`, { token, body: RATES })).status).toBe(404);
  });
});

describe("the list of prices", () => {
  test("the list of prices is filtered by model and returned page by page", async () => {
    const own = await list(`?model=${MODEL}&per_page=1`);
    expect(own.items).toHaveLength(1);
    expect(own.pagination.total_items).toBeGreaterThan(1);
    expect(new Set((await list(`?model=${MODEL}`)).items.map(({ model }) => model))).toEqual(new Set([MODEL]));
    expect(await list("?model=owner/none")).toMatchObject({ items: [], pagination: { total_items: 0 } });
  });
});
