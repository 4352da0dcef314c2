import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "../../../platform/core/db/connect.ts";
import { createTestDatabase } from "../../../testing/database.ts";
import {
  deleteModel,
  deleteOtherFiles,
  findModel,
  listModels,
  listModelsById,
  type NewStoredModel,
  pinModel,
  recordUse,
  saveModel,
} from "./model-rows.ts";

const MODEL = "Acme/Both";
const NOW = new Date("2026-01-01T00:00:00Z");
const USED = new Date("2026-02-01T00:00:00Z");

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterEach(() => database.close());

const shared = { model_id: MODEL, repository: MODEL, organization_id: null, bytes_per_token: 8, created_at: NOW };
const gguf = (revision = "one"): NewStoredModel => ({
  files: "gguf",
  columns: { ...shared, revision, file: "both-Q8_0.gguf", sha256: "a".repeat(64), size: 10, is_converted: true },
});
const safetensors = (revision = "one"): NewStoredModel => ({
  files: "safetensors",
  columns: { ...shared, revision, file: "model.safetensors", size: 20, context_length: 4096 },
});
const readKinds = async () => (await listModels(db)).map(({ files }) => files);

test("a model that is stored in both kinds of files is listed twice, the one in safetensors files last", async () => {
  const saved = [await saveModel(safetensors(), db), await saveModel(gguf(), db)];
  expect(await listModels(db)).toEqual(saved.toReversed());
  expect(await listModelsById(db, "acme/both", null)).toEqual(saved.toReversed());
  expect(await findModel(db, "ACME/both", null)).toMatchObject({ files: "safetensors", size: 20 });
  expect(await findModel(db, MODEL, "org_1")).toBeUndefined();
});

test("a model in safetensors files has the columns of GGUF files empty, and a checksum of its own", async () => {
  expect(await saveModel(safetensors(), db)).toMatchObject({
    architecture: null,
    has_chat_template: null,
    is_converted: false,
    sha256: `/${MODEL}/one`,
  });
});

test.each([
  ["GGUF", gguf],
  ["safetensors", safetensors],
] as const)("new %s files of a model replace its former ones and keep its pin and last call", async (_kind, build) => {
  const former = await saveModel(build("one"), db);
  expect(await pinModel(former, true, db)).toBe(true);
  await recordUse(db, former, USED);
  expect(await saveModel(build("two"), db)).toMatchObject({ revision: "two", pinned: true, last_used_at: USED });
  expect((await listModels(db)).length).toBe(1);
});

test("pinning, calls and deletion change a model in one kind of files only", async () => {
  const [one, other] = [await saveModel(gguf(), db), await saveModel(safetensors(), db)];
  await pinModel(one, true, db);
  await recordUse(db, other, USED);
  expect(await listModels(db)).toEqual([
    { ...one, pinned: true },
    { ...other, last_used_at: USED },
  ]);
  await deleteModel(other, db);
  expect(await readKinds()).toEqual(["gguf"]);
  expect(await pinModel(other, true, db)).toBe(false);
});

test("the files of a private model replace those of the other kind", async () => {
  await saveModel(gguf(), db);
  const latest = await saveModel(safetensors(), db);
  await deleteOtherFiles(latest, db);
  expect(await readKinds()).toEqual(["safetensors"]);
});
