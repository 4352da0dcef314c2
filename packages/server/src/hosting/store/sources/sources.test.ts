import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "@feather/testing/errors";
import { type FakeHub, startFakeHub } from "@feather/testing/fake-hub";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Account, createTestServer, type TestServer } from "../../../testing/server.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
let hub: FakeHub;
let server: TestServer;
let admin: Account;
let ahead = 0;
let count = 0;
let id = "";

beforeAll(async () => {
  hub = await startFakeHub();
  server = await createTestServer({
    clock: { now: () => new Date(Date.now() + ahead) },
    env: { FEATHER_HUB_URL: hub.baseUrl },
  });
  admin = await server.signInAdmin();
});
afterAll(async () => {
  await server.close();
  await hub.close();
});
beforeEach(async () => {
  id = `acme/source-${++count}`;
  // Leaves only the models of the test enabled in the catalogue.
  await server.db.updateTable("models").set({ disabled_at: new Date() }).execute();
});
afterEach(() => {
  hub.state.failure = null;
});

function addModel(name = id, columns: object = {}) {
  const [owned_by = "", short = ""] = name.split("/");
  const row = { id: name, id_lower: name.toLowerCase(), owned_by, name: short, downloads: null };
  return server.db
    .insertInto("models")
    .values({ ...row, model_class_id: "qwen3-8b", source: "catalogue", ...columns })
    .execute();
}
function addToHub(name = id, fields: object = {}) {
  hub.add({ id: name, files: { "README.md": `# ${name}`, "model.safetensors": { size: 5000 } }, ...fields });
  const tags = ["gguf", `base_model:quantized:${name}`];
  hub.add({ id: `${name}-GGUF`, tags, files: { "w-Q8_0.gguf": { size: 5000 }, "w-Q4_0.gguf": { size: 3000 } } });
}
const listFiles = (reference = id) =>
  server.call(`/api/admin/store/files?model_id=${encodeURIComponent(reference)}`, { token: admin.token });
const refresh = () => server.platform.jobs.find(({ name }) => name === "read where models come from")?.run();
const sourceOf = (name = id) => server.api.modelHost.sourcesRepository.find(name);

describe("the files of a model", () => {
  test("the files of a model include the size of the weights in its own repository, if that has no GGUF file, which vLLM would run", async () => {
    const config = { num_hidden_layers: 2, num_attention_heads: 4, num_key_value_heads: 2, hidden_size: 64 };
    const weights = { "config.json": JSON.stringify(config), "model.safetensors": { size: 5000 } };
    addToHub(id, { files: weights });
    await addModel();
    await listFiles();
    expect(await sourceOf()).toMatchObject({ safetensors_bytes: 5000, safetensors_token_bytes: 256 });
    hub.add({ id, files: { ...weights, "own-Q8_0.gguf": { size: 4000 } } });
    await listFiles();
    expect(await sourceOf()).toMatchObject({ safetensors_bytes: null, safetensors_token_bytes: null });
  });

  test("the files of a model are known when the hub cannot be reached, and the answer says since when", async () => {
    addToHub();
    await addModel();
    const fresh = await listFiles();
    expect(fresh.body).toMatchObject({ repository: `${id}-GGUF`, chosen: "w-Q8_0.gguf", cached_at: null });
    for (const failure of [{ status: 500 }, { status: 429 }]) {
      hub.state.failure = failure;
      const cached = await listFiles(id.toUpperCase());
      expect(cached).toMatchObject({ status: 200, body: { model_id: id, cached_at: expect.any(String) } });
      expect({ ...(cached.body as object), cached_at: null }).toEqual(fresh.body);
    }
    expect(await sourceOf()).toMatchObject({
      files: [
        { path: "w-Q8_0.gguf", size: 5000, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
        { path: "w-Q4_0.gguf", size: 3000 },
      ],
    });
  });

  test("the files of a model are not known of a model that was never read, or that the catalogue does not have", async () => {
    addToHub();
    await listFiles();
    await addModel(`${id}-new`);
    hub.state.failure = { status: 500 };
    for (const name of [id, `${id}-new`]) expect(errorCode((await listFiles(name)).body)).toBe("hub.unavailable");
  });

  test("the files of a model are no longer known once the hub says that it has none", async () => {
    addToHub();
    await addModel();
    await listFiles();
    hub.remove(`${id}-GGUF`);
    expect(errorCode((await listFiles()).body)).toBe("store.no_gguf");
    hub.state.failure = { status: 500 };
    expect(errorCode((await listFiles()).body)).toBe("hub.unavailable");
    expect(await sourceOf()).toMatchObject({ repository: null, files: [] });
  });
});

test("a stored list of files of another form counts as not known", async () => {
  addToHub();
  await addModel();
  await listFiles();
  const files = JSON.stringify([{ path: "w-Q8_0.gguf", size: "large" }]);
  await server.db.updateTable("model_sources").set({ files }).where("model_id", "=", id).execute();
  expect(await sourceOf()).toBeUndefined();
  hub.state.failure = { status: 500 };
  expect(errorCode((await listFiles()).body)).toBe("hub.unavailable");
});

describe("the job that reads where models come from", () => {
  test("the job that reads sources reads one model at a time, the most downloaded first, and each again after a week", async () => {
    const names = ["a", "b", "c"].map((name) => `${id}-${name}`);
    for (const [index, name] of names.entries()) {
      addToHub(name, { downloads: (index + 1) * 10 });
      await addModel(name, { downloads: index === 0 ? null : index * 10 });
    }
    const known = async () => (await Promise.all(names.map(sourceOf))).map((source) => source !== undefined);
    await refresh();
    expect(await known()).toEqual([false, false, true]);
    await refresh();
    await refresh();
    expect(await known()).toEqual([true, true, true]);
    const before = hub.requests.length;
    await refresh();
    expect(hub.requests.length).toBe(before);
    ahead += 8 * DAY_MS;
    admin = await server.signInAdmin();
    await refresh();
    expect(hub.requests.length).toBeGreaterThan(before);
  });

  test("the job that reads sources reads a model whose page was opened, and one with files here, before more downloaded ones", async () => {
    const names = ["popular", "stored", "opened"].map((name) => `${id}-${name}`);
    const [popular = "", stored = "", opened = ""] = names;
    for (const name of names) addToHub(name);
    await addModel(popular, { downloads: 1_000 });
    for (const name of [stored, opened]) await addModel(name, { downloads: 1 });
    const file = {
      model_id: stored,
      file: "w.gguf",
      revision: "main",
      sha256: "0".repeat(64),
      size: 1,
      bytes_per_token: 1,
    };
    await server.db
      .insertInto("store_files")
      .values({ ...file, repository: stored, created_at: new Date() })
      .execute();
    await server.call(`/api/feather/models/${opened}`);
    const known = async () => (await Promise.all(names.map(sourceOf))).map((source) => source !== undefined);
    await refresh();
    await refresh();
    expect(await known()).toEqual([false, true, true]);
    await refresh();
    expect(await known()).toEqual([true, true, true]);
    await server.db.deleteFrom("store_files").where("model_id", "=", stored).execute();
  });

  test("the job that reads sources stores downloads, likes and readme, and nothing where the hub does not say", async () => {
    addToHub(id, { downloads: 4321, likes: 99 });
    await addModel();
    await addModel(`${id}-gone`, { downloads: 7 });
    hub.add({ id: `${id}-raw`, downloads: 12, files: { "model.safetensors": { size: 5000 } } });
    await addModel(`${id}-raw`);
    for (let index = 0; index < 3; index++) await refresh();
    const rows = await server.db
      .selectFrom("models")
      .select(["id", "downloads", "likes", "readme", "hub_checked_at"])
      .where("id", "like", `${id}%`)
      .orderBy("id")
      .execute();
    expect(rows).toMatchObject([
      { id, downloads: 4321, likes: 99, readme: expect.stringContaining(id), hub_checked_at: expect.any(Date) },
      { id: `${id}-gone`, downloads: null, likes: null, readme: null },
      { id: `${id}-raw`, downloads: 12, readme: null },
    ]);
    for (const name of ["gone", "raw"]) expect(await sourceOf(`${id}-${name}`)).toMatchObject({ repository: null });
  });

  test("the job that reads sources keeps the counts of models that a hub in a folder cannot count or does not have", async () => {
    const folder = mkdtempSync(join(tmpdir(), "folder-hub-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, id), { recursive: true });
    writeFileSync(join(folder, id, "README.md"), "# Here");
    const other = await createTestServer({ env: { FEATHER_HUB_DIR: folder } });
    onTestFinished(() => other.close());
    await other.db.updateTable("models").set({ disabled_at: new Date() }).execute();
    const published = new Date("2025-03-04T05:06:07Z");
    for (const name of [id, `${id}-gone`]) {
      const row = { id: name, id_lower: name, owned_by: "acme", name, model_class_id: "qwen3-8b", source: "catalogue" };
      const counts = { downloads: 7, likes: 3, hf_created_at: published };
      await other.db
        .insertInto("models")
        .values({ ...row, ...counts })
        .execute();
    }
    for (let index = 0; index < 2; index++) await other.runJob("read where models come from");
    const rows = await other.db
      .selectFrom("models")
      .select(["id", "downloads", "likes", "hf_created_at", "readme", "hub_checked_at"])
      .where("id", "like", `${id}%`)
      .orderBy("id")
      .execute();
    const kept = { downloads: 7, likes: 3, hf_created_at: published, hub_checked_at: expect.any(Date) };
    expect(rows).toMatchObject([
      { ...kept, id, readme: expect.stringContaining("Here") },
      { ...kept, id: `${id}-gone`, readme: null },
    ]);
  });

  test("the job that reads sources keeps a readme that the catalogue has", async () => {
    addToHub();
    await addModel(id, { readme: "Ours." });
    await refresh();
    const row = await server.db.selectFrom("models").select("readme").where("id", "=", id).executeTakeFirst();
    expect(row?.readme).toBe("Ours.");
  });

  test.each([
    ["disabled", { disabled_at: new Date() }],
    ["private", { is_private: true }],
    ["only on a backend", { source: "backend" }],
    ["part of the installation", { family_id: "feather" }],
  ])("the job that reads sources asks nothing about a model that is %s", async (_what, columns) => {
    addToHub();
    await addModel(id, columns);
    const before = hub.requests.length;
    await refresh();
    expect(hub.requests.length).toBe(before);
  });

  test("the job that reads sources leaves a hub alone that cannot be reached, longer each time", async () => {
    addToHub();
    await addModel();
    hub.state.failure = { status: 500 };
    const asks = async (milliseconds: number) => {
      ahead += milliseconds;
      const before = hub.requests.length;
      await refresh();
      return hub.requests.length > before;
    };
    expect(await asks(0)).toBe(true);
    expect([await asks(0.9 * MINUTE_MS), await asks(0.2 * MINUTE_MS)]).toEqual([false, true]);
    expect([await asks(1.9 * MINUTE_MS), await asks(0.2 * MINUTE_MS)]).toEqual([false, true]);
    hub.state.failure = { status: 429, headers: { "retry-after": "3000" } };
    expect(await asks(4.1 * MINUTE_MS)).toBe(true);
    expect([await asks(49 * MINUTE_MS), await asks(2 * MINUTE_MS)]).toEqual([false, true]);
    hub.state.failure = null;
    expect(await asks(61 * MINUTE_MS)).toBe(true);
    expect(await sourceOf()).toMatchObject({ repository: `${id}-GGUF` });
  });

  test("the job that reads sources asks nothing of a hub that the operator switched off", async () => {
    const other = await createTestServer({ env: { FEATHER_HUB_URL: hub.baseUrl, FEATHER_HUB_REFRESH: "off" } });
    const before = hub.requests.length;
    await other.platform.jobs.find(({ name }) => name === "read where models come from")?.run();
    expect(hub.requests.length).toBe(before);
    await other.close();
  });
});
