import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "@feather/testing/errors";
import { type FakeOllama, startFakeOllama } from "@feather/testing/fake-ollama";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFakeEngines } from "../../../testing/fake-engines.ts";
import { type Account, createTestServer, type TestServer } from "../../../testing/server.ts";

const PULLS = "/api/admin/store/pulls";
const engines = createFakeEngines();
const folder = mkdtempSync(join(tmpdir(), "ollama-"));
const LIBRARY = {
  "qwen3:0.6b": { layers: [1000, 200] },
  "qwen3:latest": { layers: [5000] },
  "me/own:v1": { layers: [10] },
  "hf.co/someone/smol-GGUF:Q4_K_M": { layers: [20] },
};

let ollama: FakeOllama;
let server: TestServer;
let admin: Account;
let ahead = 0;

afterAll(() => {
  engines.close();
  rmSync(folder, { recursive: true, force: true });
});
const clock = { now: () => new Date(Date.now() + ahead) };
beforeEach(async () => {
  ahead = 0;
  ollama = await startFakeOllama(LIBRARY, ["llama3.2:3b"]);
  await startServer([{ name: "ollama", base_url: ollama.baseUrl }]);
});
afterEach(async () => {
  ollama.release();
  await server.close();
  await ollama.close();
});

async function startServer(backends: object[]): Promise<void> {
  const env = { FEATHER_BACKENDS: JSON.stringify(backends), FEATHER_DATA_DIR: folder };
  server = await createTestServer({ env, startEngine: engines.start, clock });
  admin = await server.signInAdmin();
  await server.api.backends.discovery.refresh();
}

const pull = (model_id: string) => server.call(PULLS, { token: admin.token, body: { model_id } });
const listPulls = async () => ((await server.call(PULLS, { token: admin.token })).body as { items: object[] }).items;
const requestedModels = () =>
  ollama.requests
    .filter(({ url }) => url === "/api/pull")
    .map(({ body }) => (JSON.parse(body) as { model: string }).model);

async function chat(model: string) {
  const { secret } = await server.createKey(admin);
  const body = { model, messages: [{ role: "user", content: "Hello" }] };
  return server.call("/api/v1/chat/completions", { token: secret, body });
}

test("a model that Ollama downloads is in the list of downloads with its progress, and can be called at its end", async () => {
  ollama.state.fault = "waits";
  const answer = await pull("ollama:qwen3:0.6b");
  expect([answer.status, answer.body]).toMatchObject([202, { model_id: "ollama/qwen3:0.6b", file: "qwen3:0.6b" }]);
  await expect.poll(listPulls).toMatchObject([{ state: "downloading", bytes_done: 500, bytes_total: 1000 }]);
  ollama.state.fault = null;
  ollama.release();
  await expect.poll(listPulls).toMatchObject([{ state: "done", bytes_done: 1200, bytes_total: 1200, error: null }]);
  const { status, text } = await chat("ollama/qwen3:0.6b");
  expect([status, text]).toEqual([200, expect.stringContaining("Ollama says hello")]);
});

test.each([
  ["without a tag", "ollama:qwen3", "qwen3:latest", "ollama/qwen3:latest"],
  ["of a user", "ollama:me/own:v1", "me/own:v1", "me/own:v1"],
  ["of the hub", "ollama:hf.co/someone/smol-GGUF:Q4_K_M", "hf.co/someone/smol-GGUF:Q4_K_M", "someone/smol-GGUF:Q4_K_M"],
])("a name %s is completed as Ollama does it", async (_title, reference, name, id) => {
  expect((await pull(reference)).body).toMatchObject({ model_id: id });
  await expect.poll(listPulls).toMatchObject([{ state: "done" }]);
  expect(requestedModels()).toEqual([name]);
});

describe("a model that has an alias", () => {
  const NAME = "qwen3:0.6b";
  const ALIAS = "Qwen/Qwen3-0.6B";
  beforeEach(async () => {
    await server.close();
    await startServer([{ name: "ollama", base_url: ollama.baseUrl, aliases: [{ name: NAME, as: ALIAS }] }]);
  });

  test.each([
    ["its alias", ALIAS],
    ["its alias in another case", ALIAS.toLowerCase()],
    ["its alias, marked as Ollama's", `ollama:${ALIAS}`],
    ["its name at Ollama", `ollama:${NAME}`],
  ])("Ollama downloads the model that is asked for by %s, and it is called by its alias", async (_by, reference) => {
    expect((await pull(reference)).body).toMatchObject({ model_id: ALIAS, file: NAME });
    await expect.poll(listPulls).toMatchObject([{ model_id: ALIAS, state: "done" }]);
    expect(requestedModels()).toEqual([NAME]);
    expect((await chat(ALIAS)).text).toContain("Ollama says hello");
  });
});

test("a model that Ollama's library lacks fails with Ollama's message, and is tried again only on request", async () => {
  await pull("ollama:none:1b");
  const error = "Ollama cannot download it: pull model manifest: file does not exist";
  await expect.poll(listPulls).toMatchObject([{ state: "failed", error }]);
  expect(requestedModels()).toHaveLength(1);
  const body = { model_id: "ollama/none:1b", file: "none:1b" };
  expect((await server.call(PULLS, { token: admin.token, body })).status).toBe(202);
  await expect.poll(requestedModels).toHaveLength(2);
});

test("a download that Ollama breaks off is tried again", async () => {
  ollama.state.fault = "breaks_off";
  await pull("ollama:qwen3:0.6b");
  await expect.poll(listPulls).toMatchObject([{ state: "queued", error: expect.stringContaining("Ollama") }]);
  ollama.state.fault = null;
  ahead = 10_000;
  await server.api.modelHost.pullRunner.poll();
  await expect.poll(listPulls).toMatchObject([{ state: "done" }]);
  expect(requestedModels()).toHaveLength(2);
});

test("a download that is canceled ends the request to Ollama", async () => {
  ollama.state.fault = "waits";
  const { id } = (await pull("ollama:qwen3:0.6b")).body as { id: string };
  await expect.poll(requestedModels).toHaveLength(1);
  const answer = await server.call(`${PULLS}/${id}`, { method: "DELETE", token: admin.token });
  expect(answer.status).toBe(204);
  await expect.poll(() => ollama.aborted).toBe(1);
  expect(await listPulls()).toMatchObject([{ state: "canceled" }]);
});

test("an Ollama without models downloads its first one", async () => {
  await ollama.close();
  await server.close();
  ollama = await startFakeOllama(LIBRARY);
  await startServer([{ name: "mine", base_url: ollama.baseUrl }]);
  expect((await pull("ollama:qwen3:0.6b")).body).toMatchObject({ model_id: "mine/qwen3:0.6b" });
  await expect.poll(listPulls).toMatchObject([{ state: "done" }]);
});

test("a name that cannot be one of Ollama's is refused", async () => {
  for (const reference of ["ollama:../x", "ollama:a b", "ollama:a/b/c"])
    expect([reference, (await pull(reference)).status]).toEqual([reference, 400]);
  expect(ollama.requests.some(({ url }) => url === "/api/pull")).toBe(false);
});

test("nothing is downloaded if no backend is an Ollama", async () => {
  await server.close();
  await startServer([]);
  const answer = await pull("ollama:qwen3:0.6b");
  expect([answer.status, errorCode(answer.body)]).toEqual([409, "store.no_ollama"]);
  expect(await listPulls()).toEqual([]);
});
