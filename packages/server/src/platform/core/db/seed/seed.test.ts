import { afterEach, beforeEach, expect, test } from "vitest";
import { BUILT_IN_MODELS } from "../../../../hosting/runtimes/built-in-models.ts";
import { createTestDatabase } from "../../../../testing/database.ts";
import type { DatabaseConnection } from "../connect.ts";
import { seed } from "./seed.ts";

const OTHER_TEXT = BUILT_IN_MODELS.map((model) =>
  model.id === "feather/demo" ? { ...model, readme: "Another text." } : model,
);

let connection: DatabaseConnection;
beforeEach(async () => {
  connection = await createTestDatabase(); // seeded
});
afterEach(() => connection.close());

async function count(table: "models" | "families" | "plans"): Promise<number> {
  const { n } = await connection.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

test("a new installation has the whole catalogue, with a class for each model", async () => {
  expect(await count("models")).toBe(401);
  expect(await count("families")).toBe(55);
  expect(await count("plans")).toBe(7);
  const { rows } = await connection.pool.query(
    "select m.id from models m left join model_classes c on c.id = m.model_class_id where c.id is null",
  );
  expect(rows).toEqual([]);
});

test("seeding twice changes nothing", async () => {
  const rows = () => connection.db.selectFrom("models").selectAll().orderBy("id").execute();
  const before = await rows();
  await seed(connection.db, OTHER_TEXT);
  const between = await rows();
  await seed(connection.db, OTHER_TEXT);
  expect(await rows()).toEqual(between);
  expect(between.map((row) => row.id)).toEqual(before.map((row) => row.id));
});

test("updates of the catalogue are written to its rows", async () => {
  await seed(connection.db, OTHER_TEXT);
  const demo = await connection.db.selectFrom("models").select("readme").where("id", "=", "feather/demo").execute();
  expect(demo).toEqual([{ readme: "Another text." }]);
});

test("the built-in guide model is free", async () => {
  const price = await connection.db
    .selectFrom("prices")
    .select(["target", "prompt", "completion"])
    .where("scope", "=", "model")
    .execute();
  expect(price.map((row) => ({ ...row, prompt: Number(row.prompt), completion: Number(row.completion) }))).toEqual([
    { target: "feather/guide", prompt: 0, completion: 0 },
  ]);
});

test("seeding keeps what an operator changed", async () => {
  const { db } = connection;
  await db.updateTable("plans").set({ price_usd_cents: 4200 }).where("id", "=", "feather_basic").execute();
  await db.updateTable("model_classes").set({ concurrency_cost: 3 }).where("id", "=", "feather-demo").execute();
  await db
    .updateTable("models")
    .set({ description: "Ours", source: "operator" })
    .where("id", "=", "feather/demo")
    .execute();
  await seed(db, OTHER_TEXT);
  const plan = await db.selectFrom("plans").select("price_usd_cents").where("id", "=", "feather_basic").execute();
  const cls = await db
    .selectFrom("model_classes")
    .select("concurrency_cost")
    .where("id", "=", "feather-demo")
    .execute();
  const model = await db.selectFrom("models").select(["description"]).where("id", "=", "feather/demo").execute();
  expect([plan, cls, model]).toEqual([
    [{ price_usd_cents: 4200 }],
    [{ concurrency_cost: 3 }],
    [{ description: "Ours" }],
  ]);
});

test("models belong to the published classes and have their cost", async () => {
  const expected: [id: string, modelClass: string, cost: number][] = [
    ["meta-llama/Llama-3.3-70B-Instruct", "llama33-70b-16k", 4],
    ["meta-llama/Meta-Llama-3-8B-Instruct", "llama3-8b-8k", 1],
    ["NousResearch/Hermes-3-Llama-3.1-8B", "llama31-8b-16k", 1],
    ["deepseek-ai/DeepSeek-R1", "deepseek-v3-lc", 4],
    ["google/gemma-3-27b-it", "gemma3-27b", 2],
    ["zai-org/GLM-Z1-32B-0414", "glm4-32b", 4],
    ["mistralai/Mistral-7B-Instruct-v0.2", "mistral-v02-7b-std-lc", 1],
    ["HuggingFaceH4/zephyr-7b-beta", "mistral-v01-7b", 1],
    ["mistralai/Mistral-Small-3.2-24B-Instruct-2506", "mistral-24b-2503", 2],
    ["anthracite-org/magnum-v1-72b", "qwen2-72b-lc", 4],
    ["Qwen/Qwen3-32B", "qwen3-32b", 4],
    ["recursal/RWKV6Qwen2.5-32B-QwQ-Preview", "qrwkv-32b-32k", 1],
    ["deepseek-ai/deepseek-coder-6.7b-instruct", "deepseek-coder-6b7", 1],
  ];
  const rows = await connection.db
    .selectFrom("models")
    .innerJoin("model_classes", "model_classes.id", "model_class_id")
    .select(["models.id", "model_class_id", "concurrency_cost"])
    .execute();
  const found = new Map(rows.map((row) => [row.id, [row.id, row.model_class_id, row.concurrency_cost]]));
  expect(expected.map(([id]) => found.get(id))).toEqual(expected);
});
