import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "@feather/testing/errors";
import { buildFakeGguf, buildProjector, FAKE_LLAMA_SERVER_COMMAND } from "@feather/testing/fake-llama-server";
import { afterAll, afterEach, expect, test } from "vitest";
import { createFakeEngines } from "../../testing/fake-engines.ts";
import {
  type Account,
  createRuntimeStates,
  createTestServer,
  type TestServer,
  type TestServerOptions,
} from "../../testing/server.ts";
import type { IsKnownArchitecture } from "../runtimes/index.ts";

const PULLS = "/api/admin/store/pulls";
const MODELS = "/api/admin/store/models";
const SEES = "acme/sees";
const PROJECTOR = buildProjector(64);
const IMAGE = [
  { type: "text", text: "What is this?" },
  { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
];
/** The engine knows `llama` alone, the stand-in of llama-server all but `unknown`. */
const knowsLlama: IsKnownArchitecture = async (architecture) => architecture === "llama";

const engines = createFakeEngines();
afterAll(() => engines.close());
let folder = "";
let server: TestServer;
let admin: Account;
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a server with llama-server and a hub with these repositories, by the names of their files. */
async function startServer(
  repositories: Record<string, Record<string, Buffer>>,
  { env, ...options }: TestServerOptions = {},
): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), "llama-server-models-"));
  for (const [id, files] of Object.entries(repositories)) {
    mkdirSync(join(folder, "hub", id), { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, "hub", id, name), content);
  }
  server = await createTestServer({
    env: { FEATHER_HUB_DIR: join(folder, "hub"), FEATHER_DATA_DIR: join(folder, "data"), ...env },
    startEngine: engines.start,
    llamaServer: FAKE_LLAMA_SERVER_COMMAND,
    ...options,
  });
  admin = await server.signInAdmin();
  await server.api.modelHost.start();
}

async function pull(model_id: string): Promise<unknown> {
  const { status, body } = await server.call(PULLS, { token: admin.token, body: { model_id } });
  expect([status, body]).toEqual([202, expect.anything()]);
  await server.api.modelHost.pullRunner.waitUntilIdle();
  const { items } = (await server.call(PULLS, { token: admin.token })).body as { items: { model_id: string }[] };
  return items.find((item) => item.model_id === model_id);
}

async function call(path: string, body: object) {
  const { secret } = await server.createKey(admin);
  return server.call(`/api/v1/${path}`, { token: secret, headers: { "x-wait-for-model": "60" }, body });
}
const chat = (model: string, content: unknown = "Hello") =>
  call("chat/completions", { model, messages: [{ role: "user", content }] });
const listFiles = () => readdirSync(join(folder, "data/models")).filter((name) => name.endsWith(".gguf"));
const findHosted = (id: string) => server.api.modelHost.host.find(id);

test("a model with a projector is downloaded with it, runs with llama-server, and reads images", async () => {
  const weights = buildFakeGguf();
  await startServer({ [SEES]: { "sees-Q8_0.gguf": weights, "mmproj-F16.gguf": PROJECTOR } });
  const bytes = weights.length + PROJECTOR.length;
  expect(await pull(SEES)).toMatchObject({
    state: "done",
    file: "sees-Q8_0.gguf",
    bytes_done: bytes,
    bytes_total: bytes,
  });
  expect(listFiles()).toHaveLength(2);
  const { body } = await server.call(MODELS, { token: admin.token });
  expect(body).toMatchObject({ items: [{ model_id: SEES, file: "sees-Q8_0.gguf", bytes }] });
  expect(findHosted(SEES)).toMatchObject({ runtime: "llama-server", projectorBytes: PROJECTOR.length });
  const answer = await chat(SEES, IMAGE);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining("llama-server sees an image")]);
  const page = await server.call(`/api/feather/models/${encodeURIComponent(SEES)}`, { token: admin.token });
  expect(page.body).toMatchObject({ input_modalities: ["text", "image"], features: { image_input: true } });
});

test("the projector of a model is known after a restart, and is deleted with the model", async () => {
  await startServer({ [SEES]: { "sees-Q8_0.gguf": buildFakeGguf(), "mmproj-F16.gguf": PROJECTOR } });
  await pull(SEES);
  // Files are not deleted within an hour of their download.
  const longAgo = new Date(Date.now() - 2 * 3600_000);
  for (const name of listFiles()) utimesSync(join(folder, "data/models", name), longAgo, longAgo);
  await server.runJob("delete orphaned model files");
  const { modelHost: restarted } = server.createOtherPlatform().api;
  await restarted.start();
  const { projector = "", ...model } = restarted.host.find(SEES) ?? {};
  expect([model, existsSync(projector)]).toEqual([expect.objectContaining({ runtime: "llama-server" }), true]);
  await restarted.stop();
  await server.call(`${MODELS}/${SEES}`, { method: "DELETE", token: admin.token });
  expect(listFiles()).toEqual([]);
});

test("a projector that two models share is kept until both are deleted", async () => {
  const others = { "mmproj-F16.gguf": PROJECTOR };
  const second = "acme/sees-too";
  await startServer({
    [SEES]: { "sees-Q8_0.gguf": buildFakeGguf(), ...others },
    [second]: { "sees-Q4_0.gguf": buildFakeGguf({ architecture: "llama2" }), ...others },
  });
  await pull(SEES);
  await pull(second);
  expect(listFiles()).toHaveLength(3);
  await server.call(`${MODELS}/${SEES}`, { method: "DELETE", token: admin.token });
  expect(listFiles()).toHaveLength(2);
  expect((await chat(second, IMAGE)).status).toBe(200);
  await server.call(`${MODELS}/${second}`, { method: "DELETE", token: admin.token });
  expect(listFiles()).toEqual([]);
});

test("without llama-server the projector is not downloaded, and the engine reads the texts", async () => {
  await startServer(
    { [SEES]: { "sees-Q8_0.gguf": buildFakeGguf(), "mmproj-F16.gguf": PROJECTOR } },
    { llamaServer: undefined },
  );
  await pull(SEES);
  expect([listFiles().length, findHosted(SEES)?.runtime, findHosted(SEES)?.projector]).toEqual([
    1,
    "llama.cpp",
    undefined,
  ]);
});

test("a model that was downloaded before llama-server was installed gets its projector when it is downloaded again", async () => {
  const weights = buildFakeGguf();
  await startServer(
    { [SEES]: { "sees-Q8_0.gguf": weights, "mmproj-F16.gguf": PROJECTOR } },
    { llamaServer: undefined },
  );
  await pull(SEES);
  const runtimeStates = createRuntimeStates({ llamaServer: FAKE_LLAMA_SERVER_COMMAND });
  const { modelHost } = server.createOtherPlatform({ runtimeStates }).api;
  await modelHost.start();
  expect(modelHost.host.find(SEES)).toMatchObject({ runtime: "llama.cpp" });
  await modelHost.modelStore.pullPublic(SEES, undefined, null, async () => {});
  await modelHost.pullRunner.waitUntilIdle();
  expect(modelHost.host.find(SEES)).toMatchObject({ runtime: "llama-server", projectorBytes: PROJECTOR.length });
  expect(listFiles()).toHaveLength(2);
  await modelHost.stop();
});

test("the projector counts in the limit of the store", async () => {
  const files = { "sees-Q8_0.gguf": buildFakeGguf(), "mmproj-F16.gguf": PROJECTOR };
  await startServer({ [SEES]: files }, { env: { FEATHER_STORE_MAX: String(PROJECTOR.length / 1e9) } });
  const { status, body } = await server.call(PULLS, { token: admin.token, body: { model_id: SEES } });
  expect([status, errorCode(body)]).toEqual([409, "store.quota_full"]);
});

test("a model that orders texts runs with llama-server, and answers calls for that", async () => {
  const id = "acme/ranks";
  await startServer({ [id]: { "ranks-Q8_0.gguf": buildFakeGguf({ isReranker: true }) } });
  await pull(id);
  expect(findHosted(id)).toMatchObject({ runtime: "llama-server", isReranker: true });
  const answer = await call("rerank", { model: id, query: "a", documents: ["b", "ccc"] });
  expect([answer.status, answer.body]).toMatchObject([200, { results: [{ index: 1 }, { index: 0 }] }]);
});

test("a model of an architecture that only llama-server knows runs with it, others with the engine", async () => {
  const [fresh, plain, odd] = ["acme/fresh", "acme/plain", "acme/odd"];
  await startServer(
    {
      [fresh]: { "fresh-Q8_0.gguf": buildFakeGguf({ architecture: "fresh" }) },
      [plain]: { "plain-Q8_0.gguf": buildFakeGguf() },
      [odd]: { "odd-Q8_0.gguf": buildFakeGguf({ architecture: "unknown" }) },
    },
    { isKnownArchitecture: knowsLlama },
  );
  await pull(fresh);
  await pull(plain);
  expect([findHosted(fresh)?.runtime, findHosted(plain)?.runtime]).toEqual(["llama-server", "llama.cpp"]);
  expect((await chat(fresh)).text).toContain("llama-server says hello");
  expect(await pull(odd)).toMatchObject({ state: "failed", error: expect.stringContaining("architecture unknown") });
});

test("what runs a model is listed for administrators, and why it does not run", async () => {
  const id = "acme/large";
  await startServer({ [id]: { "large-Q8_0.gguf": buildFakeGguf({ isReranker: true, mode: "out_of_memory" }) } });
  await pull(id);
  await server.api.modelHost.host.wake(id);
  const readModel = async () => {
    const { body } = await server.call("/api/admin/model-host", { token: admin.token });
    return (body as { models: { model_id: string }[] }).models.find(({ model_id }) => model_id === id);
  };
  const reason = expect.stringContaining("failed to allocate buffer");
  await expect.poll(readModel, { timeout: 10_000 }).toMatchObject({ runtime: "llama-server", state: "failed", reason });
});
