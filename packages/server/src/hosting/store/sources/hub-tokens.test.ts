import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "@feather/testing/errors";
import { type FakeHub, startFakeHub } from "@feather/testing/fake-hub";
import { afterAll, afterEach, expect, test } from "vitest";
import { createFakeEngines } from "../../../testing/fake-engines.ts";
import { createTestServer, type TestServer } from "../../../testing/server.ts";
import { DEMO_MODEL_FILE } from "../../runtimes/built-in-models.ts";

const GATED = "acme/gated-GGUF";
const PULLS = "/api/admin/store/pulls";
const GGUF = readFileSync(DEMO_MODEL_FILE);
const engines = createFakeEngines();
let hub: FakeHub;
let server: TestServer;
let folder = "";

afterEach(async () => {
  await server.close();
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => engines.close());

async function start(env: Record<string, string>): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), "hub-tokens-"));
  const files = { "README.md": "# Gated", "gated-q4_k_m.gguf": GGUF };
  hub = await startFakeHub([{ id: GATED, gated: true, files }], { hf_reader: { user: "reader", reads: [GATED] } });
  server = await createTestServer({
    startEngine: engines.start,
    env: { FEATHER_HUB_URL: hub.baseUrl, FEATHER_DATA_DIR: folder, ...env },
  });
}

/** Downloads the gated model as an administrator. Returns the final state of the download, and its error. */
async function pull(): Promise<[state: string, error: string | null]> {
  const { token } = await server.signInAdmin();
  const created = await server.call(PULLS, { method: "POST", token, body: { model_id: GATED } });
  expect(created.status).toBe(202);
  await server.api.modelHost.pullRunner.waitUntilIdle();
  const { body } = await server.call(PULLS, { token });
  const [latest] = (body as { items: { state: string; error: string | null }[] }).items;
  return [latest?.state ?? "", latest?.error ?? null];
}

/** Lets a user unlock the gated model with their token. */
async function unlock(): Promise<void> {
  const { token } = await server.signUp();
  const row = { id: GATED, id_lower: GATED.toLowerCase(), owned_by: "acme", name: "gated-GGUF", is_gated: true };
  const { id: model_class_id } = await server.db.selectFrom("model_classes").select("id").executeTakeFirstOrThrow();
  await server.db
    .insertInto("models")
    .values({ ...row, model_class_id, source: "operator" })
    .execute();
  const path = `/api/feather/models/${GATED}/unlock`;
  const { status } = await server.call(path, { method: "POST", token, body: { access_token: "hf_reader" } });
  expect(status).toBeLessThan(300);
}

test("the operator's token downloads a gated model", async () => {
  await start({ HF_TOKEN: "hf_reader" });
  expect(await pull()).toEqual(["done", null]);
});

test("the token that a person left downloads a gated model if the operator keeps tokens", async () => {
  await start({ FEATHER_HUB_TOKENS: "keep" });
  await unlock();
  expect(await pull()).toEqual(["done", null]);
});

test("a token that is not kept downloads nothing", async () => {
  await start({});
  await unlock();
  expect(await pull()).toEqual(["failed", expect.stringContaining("gated")]);
});

test("the operator's token is used for administrators only", async () => {
  await start({ HF_TOKEN: "hf_reader" });
  const { token } = await server.signUp();
  const { body } = await server.call(`/api/feather/models/${GATED}?scrape=1`, { token });
  expect(errorCode(body)).toBe("hub.gated");
});
