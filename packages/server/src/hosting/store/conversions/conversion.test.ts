import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "@feather/testing/errors";
import { FAKE_CONVERTER_COMMAND, type FakeConverterMode } from "@feather/testing/fake-converter";
import { createServableRepository, type FakeHub, type FakeRepository, startFakeHub } from "@feather/testing/fake-hub";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createFakeEngines } from "../../../testing/fake-engines.ts";
import { type Account, createTestServer, type TestServer } from "../../../testing/server.ts";
import { DEMO_MODEL_FILE } from "../../runtimes/built-in-models.ts";
import { createConverter, type GgufConverter, NO_CONVERTER } from "../../runtimes/index.ts";

const GGUF = readFileSync(DEMO_MODEL_FILE);
const PULLS = "/api/admin/store/pulls";
const TERABYTE = 1e12;
type Json = Record<string, unknown>;

const engines = createFakeEngines();
let hub: FakeHub;
let folder: string;
let freeBytes: number;
let server: TestServer;
let admin: Account;
let count = 0;
let id = "";

beforeAll(async () => {
  hub = await startFakeHub([], { hf_reader: { user: "reader", reads: ["acme/closed"] } });
});
afterAll(async () => {
  await hub.close();
  engines.close();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conversions-"));
  freeBytes = TERABYTE;
  id = `acme/converted-${++count}`;
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function createFakeConverter(more = ""): GgufConverter {
  const options = { path: process.env.PATH, sandbox: { state: "off" as const }, hidden: [], log: { warn() {} } };
  return createConverter(`${FAKE_CONVERTER_COMMAND}${more}`, options);
}

async function start(converter: GgufConverter = createFakeConverter()): Promise<void> {
  server = await createTestServer({
    startEngine: engines.start,
    converter,
    freeBytes: async () => freeBytes,
    isKnownArchitecture: async () => true,
    env: { FEATHER_HUB_URL: hub.baseUrl, FEATHER_DATA_DIR: folder, FEATHER_MODEL_MEMORY: "50000" },
  });
  admin = await server.signInAdmin();
}

/**
 * Adds a repository that passes all checks of private models and has only safetensors files. The stand-in of the converter
 * makes the GGUF file from the first of them.
 */
function addRepository(
  mode: FakeConverterMode = "works",
  config: object = {},
  more: Partial<FakeRepository> = {},
): void {
  const text = JSON.stringify({
    architectures: ["Qwen3ForCausalLM"],
    max_position_embeddings: 40_960,
    torch_dtype: "bfloat16",
    ...config,
  });
  hub.add(
    createServableRepository(id, {
      ...more,
      files: {
        "config.json": text.replace("{", `{"fake_converter": "${mode}", `),
        "model-00001-of-00002.safetensors": Buffer.concat([GGUF, Buffer.from(id)]),
      },
    }),
  );
}

const pull = (model_id = id) => server.call(PULLS, { token: admin.token, body: { model_id } });
const list = async () => ((await server.call(PULLS, { token: admin.token })).body as { items: Json[] }).items;
const untilPull = (expected: Json) => expect.poll(list).toMatchObject([expected]);
const conversions = () => {
  const path = join(folder, "models", "conversions");
  return existsSync(path) ? readdirSync(path) : [];
};
/** Lets the stand-in complete all conversions. */
const release = () => {
  for (const name of conversions()) writeFileSync(join(folder, "models/conversions", name, "output", "continue"), "");
};

describe("a model that is on the hub in safetensors files only", () => {
  test("a model in safetensors files is downloaded, converted with progress, and can be called like any other", async () => {
    await start();
    addRepository("waits");
    const file = `converted-${count}-Q8_0.gguf`;
    const files = await server.call(`/api/admin/store/files?model_id=${id}`, { token: admin.token });
    expect(files.body).toMatchObject({
      repository: id,
      chosen: file,
      is_conversion: true,
      files: [{ file, fits: true }],
    });
    expect((await pull()).body).toMatchObject({ file, state: "queued", conversion_progress: null });
    await untilPull({ state: "converting", conversion_progress: 0.5 });
    release();
    await untilPull({ state: "done", error: null, conversion_progress: null });
    expect(server.api.modelHost.host.find(id)).toMatchObject({ fileName: file, size: GGUF.length + id.length });
    expect(
      readFileSync(server.api.modelHost.host.find(id)?.file ?? "")
        .subarray(0, 4)
        .toString(),
    ).toBe("GGUF");
    await expect.poll(conversions).toEqual([]);
    const { secret } = await server.createKey(admin);
    const body = { model: id, messages: [{ role: "user", content: "Hello" }] };
    const headers = { "x-wait-for-model": "5" };
    expect((await server.call("/v1/chat/completions", { token: secret, headers, body })).status).toBe(200);
  });

  test("a conversion that fails has the converter's last words as the reason, and leaves nothing on the disk", async () => {
    await start();
    addRepository("unsupported");
    await pull();
    const error = "It could not be converted to a GGUF file: Model UnknownForCausalLM is not supported";
    await untilPull({ state: "failed", error, conversion_progress: null });
    expect(conversions()).toEqual([]);
  });

  test("a model in safetensors files leaves nothing on the disk when its conversion is canceled", async () => {
    await start();
    addRepository("waits");
    const { id: pullId } = (await pull()).body as { id: string };
    await untilPull({ state: "converting", conversion_progress: 0.5 });
    await server.call(`${PULLS}/${pullId}`, { method: "DELETE", token: admin.token });
    await server.api.modelHost.pullRunner.waitUntilIdle();
    expect([await list(), conversions()]).toMatchObject([[{ state: "canceled" }], []]);
  });

  test("a model in safetensors files is converted again after a restart, and not downloaded again", async () => {
    await start();
    addRepository("waits");
    await pull();
    await untilPull({ state: "converting" });
    await server.api.modelHost.pullRunner.stop();
    await untilPull({ state: "queued", conversion_progress: null });
    const requestsBefore = hub.requests.filter((line) => line.includes("/resolve/") && line.includes(".safetensors"));
    const { modelHost } = server.createOtherPlatform().api;
    await modelHost.start();
    await untilPull({ state: "converting", conversion_progress: 0.5 });
    release();
    await untilPull({ state: "done" });
    await modelHost.stop();
    const requests = hub.requests.filter((line) => line.includes("/resolve/") && line.includes(".safetensors"));
    expect(requests).toEqual(requestsBefore);
  });

  test("a model in safetensors files counts in the limit of the store with the file that it makes, not with what is downloaded", async () => {
    await start();
    addRepository("waits");
    await pull();
    await untilPull({ state: "converting" });
    expect(await server.api.modelHost.files.sumRunningBytes("pull_other")).toBe(Math.ceil((8_190_735_360 * 8.5) / 8));
    release();
    await untilPull({ state: "done" });
  });

  test("a model in safetensors files is refused where the disk has no room for its files and the converted one together", async () => {
    await start();
    addRepository();
    freeBytes = 8e9; // the converted file of 8.2 billion weights alone takes 8.7 GB
    const answer = await pull();
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "store.disk_full"]);
  });

  test.each([
    ["are quantized already", "", { quantization_config: { quant_method: "gptq" } }, "only those in 16 or 32 bits"],
    ["cannot be converted, because PyTorch is missing", " --without-torch", {}, "No module named 'torch'"],
  ])(
    "a model in safetensors files is refused before its download if its weights %s",
    async (_name, options, config, reason) => {
      await start(createFakeConverter(options));
      addRepository("works", config);
      for (const answer of [
        await pull(),
        await server.call(`/api/admin/store/files?model_id=${id}`, { token: admin.token }),
      ]) {
        expect([answer.status, errorCode(answer.body)]).toEqual([422, "store.not_convertible"]);
        expect(answer.text).toContain(reason);
      }
      expect(await list()).toEqual([]);
    },
  );

  test("deletes what conversions left that have ended, and nothing else", async () => {
    await start();
    addRepository("waits");
    const { id: pullId } = (await pull()).body as { id: string };
    await untilPull({ state: "converting", conversion_progress: 0.5 });
    await server.db
      .insertInto("store_pulls")
      .values({
        id: "pull_old",
        model_id: id,
        repository: id,
        revision: "a",
        file: "old-Q8_0.gguf",
        is_conversion: true,
        state: "failed",
        bytes_total: 1,
        created_at: new Date(),
        updated_at: new Date(),
      })
      .execute();
    mkdirSync(server.api.modelHost.folder.conversionFolder("pull_old"));
    await server.runJob("delete orphaned model files");
    expect(conversions()).toEqual([pullId]);
    release();
    await server.api.modelHost.pullRunner.waitUntilIdle();
  });
});

describe("a private model in safetensors files", () => {
  const path = () => `/api/feather/private-models/${id}`;
  let owner: Account;
  const call = async (rest = "", options: object = {}) =>
    (await server.call(`${path()}${rest}`, { token: owner.token, ...options })).body as Json;
  const startFor = async (converter?: GgufConverter) => {
    await start(converter);
    owner = await server.signUpOnPlan({ private_models: 3, private_cloud: true });
  };

  test("a private model in safetensors files passes the check, which says that it is converted and how large it gets, and is ready after that", async () => {
    await startFor();
    addRepository("waits");
    const { compatible, checks } = await call("/compatibility");
    const detail = expect.stringMatching(
      /are downloaded and converted to converted-\d+-Q8_0\.gguf, of about 8\.70 GB\.$/,
    );
    expect([compatible, (checks as Json[]).at(-1)]).toMatchObject([true, { id: "runnable_file", ok: true, detail }]);
    await call("", { method: "POST", body: {} });
    await expect.poll(() => call()).toMatchObject({ state: "converting", progress: 0.5, error: null });
    release();
    await expect.poll(() => call()).toMatchObject({ state: "ready", progress: null });
  });

  test("a private model in safetensors files is downloaded with its owner's token if it is private on the hub", async () => {
    await startFor();
    id = "acme/closed";
    addRepository("works", {}, { private: true });
    await call("", { method: "POST", body: { hf_token: "hf_reader" } });
    await expect.poll(() => call()).toMatchObject({ state: "ready" });
    const rows = await server.db.selectFrom("store_pulls").select("sealed_token").execute();
    expect(rows).toEqual([{ sealed_token: null }]);
  });

  test.each([
    ["nothing converts", NO_CONVERTER, "FEATHER_GGUF_CONVERTER names no converter."],
    ["the converter does not run", createFakeConverter(" --without-torch"), "No module named 'torch'"],
  ])(
    "a private model in safetensors files does not pass the check where %s, with the reason",
    async (_name, converter, reason) => {
      await startFor(converter);
      addRepository();
      const { compatible, checks } = await call("/compatibility");
      expect([compatible, (checks as Json[]).at(-1)]).toMatchObject([
        false,
        { id: "runnable_file", ok: false, detail: expect.stringContaining(reason) },
      ]);
    },
  );
});
