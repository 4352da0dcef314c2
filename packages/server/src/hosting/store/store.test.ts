import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { errorCode } from "@feather/testing/errors";
import type { FakeHub, FakeStore, FakeToken } from "@feather/testing/fake-hub";
import type { RecordedRequest } from "@feather/testing/http-server";
import { splitGguf } from "@feather/testing/split-gguf";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { GGUF, type ModelStoreServer, PULLS, startModelStore } from "../../testing/model-store.ts";
import { readCardInThread } from "../../testing/read-card.ts";
import type { Account, TestServer } from "../../testing/server.ts";
import { createHub } from "../hub/index.ts";

const FILE = "tiny-q4_k_m.gguf";
const SHA = createHash("sha256").update(GGUF).digest("hex");
let free = 1e12;
let ahead = 0;
const tokens: Record<string, FakeToken> = { hf_reader: { user: "reader", reads: [] } };
let store: ModelStoreServer;
let engines: ModelStoreServer["engines"];
let hub: FakeHub;
let server: TestServer;
let admin: Account;
let folder = "";
let models = "";
/** The start of each range that was requested from the store. */
let offsets: number[] = [];
let count = 0;
let id = "";

beforeAll(async () => {
  store = await startModelStore({
    hubTokens: tokens,
    freeBytes: async () => free,
    clock: { now: () => new Date(Date.now() + ahead) },
  });
  ({ folder, engines, hub, server, admin } = store);
  models = join(folder, "models");
});
afterAll(() => store.stop());
beforeEach(() => {
  id = `acme/tiny-${++count}`;
  hub.add({ id, files: { "README.md": "# Tiny", [FILE]: GGUF } });
  hub.state.store = sending();
  offsets = [];
  free = 1e12;
});
afterEach(async () => {
  hub.state.failure = null;
  await server.api.modelHost.pullRunner.waitUntilIdle();
  for (const name of stored()) rmSync(join(models, name));
  for (const name of parts()) rmSync(join(models, "parts", name), { recursive: true });
});

const fromOf = ({ headers }: RecordedRequest) => Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);

/** Returns a store that sends correct responses, except for what `change` alters. */
function sending(change: { cutAt?: (number | undefined)[]; ranges?: boolean; bytes?: Buffer } = {}): FakeStore {
  const cuts = [...(change.cutAt ?? [])];
  return (request, response, given) => {
    const bytes = change.bytes ?? given;
    const from = fromOf(request);
    offsets.push(from);
    const start = change.ranges === false ? 0 : from;
    const cut = cuts.shift();
    send(response, bytes, start, cut);
  };
}

function send(response: ServerResponse, bytes: Buffer, start: number, cut: number | undefined): void {
  const range = start > 0 ? { "content-range": `bytes ${start}-${bytes.length - 1}/${bytes.length}` } : {};
  response.writeHead(start > 0 ? 206 : 200, { "content-length": bytes.length - start, ...range });
  const part = bytes.subarray(start, cut);
  if (cut === undefined) response.end(part);
  else response.write(part, () => setTimeout(() => response.socket?.resetAndDestroy(), 50));
}

type Pull = { id: string; state: string; bytes_done: number; bytes_total: number; error: string | null };
const pull = (body: object = { model_id: id }) => store.pull(body);
const shown = async (pullId: string): Promise<Pull> => {
  const { body } = await server.call(PULLS, { token: admin.token });
  const found = (body as { items: Pull[] }).items.find((item) => item.id === pullId);
  if (!found) throw new Error("no such pull");
  return found;
};
const cancel = (pullId: string, token = admin.token) => server.call(`${PULLS}/${pullId}`, { method: "DELETE", token });
/** Starts a download and lets it end, including its delays between attempts. */
async function pulled(): Promise<Pull> {
  const { status, body, text } = await pull();
  if (status !== 202) throw new Error(`${status} ${text}`);
  return ended((body as Pull).id);
}
async function ended(pullId: string): Promise<Pull> {
  for (let tries = 0; tries < 40; tries++) {
    await server.api.modelHost.pullRunner.waitUntilIdle();
    const now = await shown(pullId);
    if (!["queued", "downloading", "verifying"].includes(now.state)) return now;
    ahead += 310_000;
    await server.api.modelHost.pullRunner.poll();
  }
  throw new Error(`It did not end: ${JSON.stringify(await shown(pullId))}`);
}
const stored = () => (existsSync(models) ? readdirSync(models).filter((name) => name.endsWith(".gguf")) : []);
const parts = () => (existsSync(join(models, "parts")) ? readdirSync(join(models, "parts")) : []);
const call = () =>
  server.call("/v1/chat/completions", {
    token: admin.token,
    body: { model: id, messages: [{ role: "user", content: "x" }] },
    headers: { "x-wait-for-model": "5" },
  });

describe("a download to this machine", () => {
  test("a download to this machine stores a verified file under its checksum and makes the model callable", async () => {
    const { status, body } = await pull();
    expect(status).toBe(202);
    expect(body).toMatchObject({ model_id: id, file: FILE, bytes_total: GGUF.length, error: null });
    expect(await ended((body as Pull).id)).toMatchObject({ state: "done", bytes_done: GGUF.length, error: null });
    expect([stored(), parts()]).toEqual([[`${SHA}.gguf`], []]);
    expect(readFileSync(join(models, `${SHA}.gguf`)).equals(GGUF)).toBe(true);
    expect((await call()).status).toBe(200);
    const file = await server.api.modelHost.files.findModel(id, null);
    expect(file).toMatchObject({ sha256: SHA, size: GGUF.length, architecture: "llama", context_length: 2048 });
    expect(file?.bytes_per_token).toBeGreaterThan(0);
    // A file without a chat template is of a base model, so the catalogue tags it.
    const model = await server.db.selectFrom("models").select("tags").where("id", "=", id).executeTakeFirst();
    expect(file?.has_chat_template).toBeTypeOf("boolean");
    expect(model?.tags.includes("base")).toBe(file?.has_chat_template === false);
    const acts = await server.db
      .selectFrom("audit_log")
      .select("action")
      .where("target", "=", (body as Pull).id)
      .execute();
    expect(acts).toEqual([{ action: "store.pull" }]);
  });

  test("a download to this machine brings the readme of the model, and succeeds without one", async () => {
    await pulled();
    const readmeOf = async (modelId: string) =>
      (await server.call(`/api/feather/models/${modelId}`, { token: admin.token })).body as { readme: string | null };
    expect(await readmeOf(id)).toMatchObject({ readme: "# Tiny\n" });
    id = `${id}-bare`;
    hub.add({ id, files: { [FILE]: GGUF } });
    expect((await pulled()).state).toBe("done");
    expect(await readmeOf(id)).toMatchObject({ readme: null });
  });

  test("a download to this machine finds a GGUF repository of a model of the catalogue, which then runs under its own id", async () => {
    const base = `acme/weights-${count}`;
    hub.add({ id: base, files: { "model.safetensors": { size: 5000 } } });
    const tags = ["gguf", `base_model:quantized:${base}`];
    hub.add({ id: `${base}-GGUF`, tags, files: { "w-Q4_K_M.gguf": { size: 5000 }, "w-Q8_0.gguf": GGUF } });
    await server.db
      .insertInto("models")
      .values({
        id: base,
        id_lower: base,
        owned_by: "acme",
        name: `weights-${count}`,
        model_class_id: "qwen3-8b",
        source: "catalogue",
      })
      .execute();
    const { status, body } = await pull({ model_id: base.toUpperCase() });
    expect([status, body]).toMatchObject([
      202,
      { model_id: base, repository: `${base}-GGUF`, file: "w-Q8_0.gguf", bytes_total: GGUF.length },
    ]);
    expect(await ended((body as Pull).id)).toMatchObject({ state: "done", error: null });
    id = base;
    expect((await call()).status).toBe(200);
    const found = await server.db.selectFrom("models").select("id").where("id_lower", "like", `${base}%`).execute();
    expect(found).toEqual([{ id: base }]);
  });

  test("a download to this machine continues from the repository in which it began, even if another one would be found now", async () => {
    const base = `acme/again-${count}`;
    const tags = ["gguf", `base_model:quantized:${base}`];
    hub.add({ id: base, files: { "model.safetensors": { size: 5000 } } });
    hub.add({ id: `one/again-${count}-GGUF`, tags, downloads: 5, files: { "a-Q8_0.gguf": GGUF } });
    const first = (await pull({ model_id: base })).body as Pull;
    expect(await ended(first.id)).toMatchObject({ state: "done" });
    hub.add({ id: `two/again-${count}-GGUF`, tags, downloads: 9, files: { "b-Q8_0.gguf": GGUF } });
    expect((await pull({ model_id: base })).body).toMatchObject({ repository: `two/again-${count}-GGUF` });
    expect((await pull({ model_id: base, file: "a-Q8_0.gguf" })).body).toMatchObject({
      model_id: base,
      repository: `one/again-${count}-GGUF`,
      file: "a-Q8_0.gguf",
    });
  });

  test("a download to this machine can be looked at before: which files there are, which one it takes, and why none", async () => {
    const files = { "t-Q8_0.gguf": { size: 9e12 }, "t-Q4_K_M.gguf": GGUF, "t-00001-of-00002.gguf": { size: 9 } };
    hub.add({ id, files });
    const list = (reference: string) =>
      server.call(`/api/admin/store/files?model_id=${encodeURIComponent(reference)}`, { token: admin.token });
    const t = { model_id: id, repository: id, is_conversion: false, cached_at: null };
    const [large, good] = [
      { file: "t-Q8_0.gguf", bytes: 9e12, quantization: "Q8_0", fits: false },
      { file: "t-Q4_K_M.gguf", bytes: GGUF.length, quantization: "Q4_K_M", fits: true },
    ];
    expect((await list(id)).body).toEqual({ ...t, chosen: "t-Q4_K_M.gguf", reason: null, files: [large, good] });
    expect((await list(`${id}:q8_0`)).body).toMatchObject({ chosen: "t-Q8_0.gguf", reason: null });
    expect(await list(`${id}:Q5_0`)).toMatchObject({ status: 400 });
    hub.add({ id, files: { "t-Q8_0.gguf": { size: 9e12 } } });
    expect((await list(id)).body).toMatchObject({
      chosen: null,
      reason: expect.stringMatching(/^The smallest file is/),
    });
    expect(await server.db.selectFrom("store_pulls").selectAll().where("model_id", "=", id).execute()).toEqual([]);
  });

  test("a download to this machine takes the quantization that is named behind the id", async () => {
    hub.add({ id, files: { "t-Q8_0.gguf": { size: 5000 }, "t-Q4_K_M.gguf": GGUF } });
    expect((await pull({ model_id: `${id}:q4_k_m` })).body).toMatchObject({ model_id: id, file: "t-Q4_K_M.gguf" });
    expect((await pull({ model_id: `${id}:Q2_K` })).body).toMatchObject({
      message: "The repository has no file Q2_K that can be loaded. It has: t-Q8_0.gguf, t-Q4_K_M.gguf.",
    });
  });

  test("a download to this machine resumes after a broken connection without requesting a byte twice", async () => {
    const cutAt = [300_000, 900_000, 900_001, 2_000_000];
    hub.state.store = sending({ cutAt });
    expect(await pulled()).toMatchObject({ state: "done" });
    expect(offsets).toHaveLength(5);
    expect(offsets[0]).toBe(0);
    for (const [index, from] of offsets.slice(1).entries()) expect(from).toBeLessThanOrEqual(cutAt[index] ?? 0);
    expect(offsets.at(-1)).toBeGreaterThan(1_000_000);
    expect(stored()).toEqual([`${SHA}.gguf`]);
  });

  test("a download to this machine reports the last error while a download waits for a retry", async () => {
    hub.state.store = sending({ cutAt: [500_000] });
    const { body } = await pull();
    await server.api.modelHost.pullRunner.waitUntilIdle();
    const waiting = await shown((body as Pull).id);
    expect(waiting).toMatchObject({ state: "queued", error: expect.stringMatching(/hub/) });
    expect(waiting.bytes_done).toBeGreaterThan(0);
    expect(parts()).toHaveLength(1);
    expect(await ended((body as Pull).id)).toMatchObject({ state: "done", error: null });
  });

  test("a download to this machine starts again when the hub does not support ranges", async () => {
    hub.state.store = sending({ cutAt: [1_000_000], ranges: false });
    expect(await pulled()).toMatchObject({ state: "done" });
    expect(offsets[1]).toBeGreaterThan(0);
    expect(stored()).toEqual([`${SHA}.gguf`]);
  });

  test("a download to this machine deletes a file with a wrong checksum and downloads all of it again", async () => {
    const wrong = Buffer.from(GGUF);
    wrong[2_000_000] = (wrong[2_000_000] ?? 0) ^ 1;
    hub.state.store = sending({ bytes: wrong });
    expect(await pulled()).toMatchObject({ state: "failed", error: expect.stringMatching(/checksum/) });
    expect([stored(), parts()]).toEqual([[], []]);
    expect((await call()).status).toBe(404);
    hub.state.store = sending();
    expect(await pulled()).toMatchObject({ state: "done" });
    expect(offsets).toEqual([0, 0]);
  });

  test("a download to this machine deletes a file that is not a model", async () => {
    hub.add({ id, files: { [FILE]: Buffer.alloc(5_000, "x") } });
    expect(await pulled()).toMatchObject({ state: "failed", error: expect.stringMatching(/not a GGUF file/) });
    expect([stored(), parts()]).toEqual([[], []]);
  });

  test.each([
    ["more", Buffer.concat([GGUF, GGUF])],
    ["less", GGUF.subarray(0, 1_000_000)],
  ])("a download to this machine fails when the hub serves another file with %s", async (_what, bytes) => {
    hub.state.store = sending({ bytes });
    expect(await pulled()).toMatchObject({ state: "failed", error: expect.stringMatching(/another file/) });
    expect(stored()).toEqual([]);
  });

  test("a download to this machine fails after ten attempts without progress", async () => {
    hub.state.store = (_request, response) => {
      offsets.push(0);
      response.writeHead(503).end();
    };
    expect(await pulled()).toMatchObject({ state: "failed", bytes_done: 0 });
    expect(offsets).toHaveLength(10);
  });

  test("a download to this machine waits as long as a hub says that limits requests", async () => {
    let isLimited = true;
    const store = sending();
    hub.state.store = (request, response, bytes) => {
      if (!isLimited) return store(request, response, bytes);
      isLimited = false;
      offsets.push(-1);
      response.writeHead(429, { "retry-after": "40" }).end();
    };
    const { body } = await pull();
    const { pullRunner } = server.api.modelHost;
    await pullRunner.waitUntilIdle();
    expect(await shown((body as Pull).id)).toMatchObject({
      state: "queued",
      error: expect.stringContaining("40 seconds"),
    });
    for (const [seconds, expected] of [
      [39, [-1]],
      [2, [-1, 0]],
    ] as const) {
      ahead += seconds * 1000;
      await pullRunner.poll();
      await pullRunner.waitUntilIdle();
      expect(offsets).toEqual(expected);
    }
    expect(await shown((body as Pull).id)).toMatchObject({ state: "done" });
  });

  test("joins concurrent requests for a download of the same file into one download", async () => {
    const { promise: allRequested, resolve: sendNow } = Promise.withResolvers<void>();
    const store = sending();
    hub.state.store = (...args) => void allRequested.then(() => store(...args));
    const answers = await Promise.all(Array.from({ length: 20 }, () => pull()));
    sendNow();
    expect(new Set(answers.map(({ body }) => (body as Pull).id)).size).toBe(1);
    for (const { body } of answers.slice(0, 1)) await ended((body as Pull).id);
    expect(offsets).toEqual([0]);
  });

  test("only one of several servers on a database runs a download", async () => {
    const { promise: letGo, resolve: sendNow } = Promise.withResolvers<void>();
    const store = sending();
    hub.state.store = (...args) => void letGo.then(() => store(...args));
    const { pullRunner, stop } = server.createOtherPlatform().api.modelHost;
    const { body } = await pull();
    await Promise.all([pullRunner.poll(), server.api.modelHost.pullRunner.poll(), pullRunner.poll()]);
    sendNow();
    await Promise.all([pullRunner.waitUntilIdle(), server.api.modelHost.pullRunner.waitUntilIdle()]);
    expect([offsets, (await shown((body as Pull).id)).state]).toEqual([[0], "done"]);
    await stop();
  });

  test("a download reuses a stored file with the same checksum", async () => {
    await pulled();
    hub.add({ id: `${id}-copy`, files: { "other.gguf": GGUF } });
    id = `${id}-copy`;
    expect(await pulled()).toMatchObject({ state: "done", bytes_done: GGUF.length });
    expect(offsets).toEqual([0]);
    expect((await call()).status).toBe(200);
  });

  test("a download to this machine resumes after a restart and after a crash", async () => {
    hub.state.store = sending({ cutAt: [1_200_000] });
    const { body } = await pull();
    await server.api.modelHost.pullRunner.waitUntilIdle();
    // The state that a killed process leaves: downloading, with a lease that no process renews.
    const lease = new Date(Date.now() + ahead + 30_000);
    await server.db
      .updateTable("store_pulls")
      .set({ state: "downloading", lease_until: lease })
      .where("id", "=", (body as Pull).id)
      .execute();
    await server.api.modelHost.pullRunner.poll();
    await server.api.modelHost.pullRunner.waitUntilIdle();
    expect([offsets.length, (await shown((body as Pull).id)).state]).toEqual([1, "downloading"]);
    ahead += 31_000;
    await server.api.modelHost.pullRunner.poll();
    expect(await ended((body as Pull).id)).toMatchObject({ state: "done" });
    expect(offsets[1]).toBeGreaterThan(0);
  });
});

describe("a split model file", () => {
  const NAME = "tiny-q8_0-0000%-of-00003.gguf";
  const [PARTS, NAMES] = [splitGguf(GGUF, 3), [1, 2, 3].map((number) => NAME.replace("%", String(number)))];
  const SIZE = PARTS.reduce((sum, part) => sum + part.length, 0);
  const FILES = Object.fromEntries(NAMES.map((name, index) => [name, PARTS[index] ?? Buffer.alloc(0)]));
  const addSplit = (change: Record<string, Buffer> = {}) => hub.add({ id, files: { ...FILES, ...change } });
  const folders = () => readdirSync(models).filter((name) => /^[0-9a-f]{64}$/.test(name));
  afterEach(() => {
    for (const name of folders()) rmSync(join(models, name), { recursive: true });
  });

  test("a split model file is downloaded whole, kept together, counted once, and deleted together", async () => {
    addSplit();
    const { body } = await pull({ model_id: `${id}:Q8_0` });
    expect(body).toMatchObject({ file: NAMES[0], bytes_total: SIZE });
    expect(await ended((body as Pull).id)).toMatchObject({ state: "done", bytes_done: SIZE, error: null });
    expect([stored(), parts(), folders()]).toEqual([[], [], [expect.any(String)]]);
    const place = join(models, folders()[0] ?? "");
    const names = ["model-00001-of-00003.gguf", "model-00002-of-00003.gguf", "model-00003-of-00003.gguf"];
    expect(readdirSync(place).sort()).toEqual(names);
    expect(names.every((name, index) => PARTS[index]?.equals(readFileSync(join(place, name))))).toBe(true);
    expect((await call()).status).toBe(200);
    expect(engines.all.at(-1)?.model.file).toBe(join(place, names[0] ?? ""));
    const whole = await server.api.modelHost.files.findModel(id, null);
    expect(whole).toMatchObject({ size: SIZE, architecture: "llama", context_length: 2048 });
    const listed = await server.call("/api/admin/store/models", { token: admin.token });
    expect((listed.body as { items: object[] }).items.filter((item) => "bytes" in item && item.bytes === SIZE)).toEqual(
      [expect.objectContaining({ model_id: id, file: NAMES[0], quantization: "Q8_0" })],
    );
    await server.call(`/api/admin/store/models/${id}`, { method: "DELETE", token: admin.token });
    expect(folders()).toEqual([]);
  });

  test("a split model file has as many parameters as the whole file", async () => {
    await pulled();
    const whole = (await server.api.modelHost.files.findModel(id, null))?.parameter_size;
    id = `${id}-split`;
    addSplit();
    await pulled();
    expect((await server.api.modelHost.files.findModel(id, null))?.parameter_size).toBe(whole);
    await server.call(`/api/admin/store/models/${id}`, { method: "DELETE", token: admin.token });
  });

  test("a split model file fails with a reason when the stored list of its parts is damaged", async () => {
    addSplit();
    hub.state.store = sending({ cutAt: [100] });
    const { id: pullId } = (await pull({ model_id: `${id}:Q8_0` })).body as Pull;
    await server.api.modelHost.pullRunner.waitUntilIdle();
    const parts = JSON.stringify([{ file: NAMES[0] }]);
    await server.db.updateTable("store_pulls").set({ parts }).where("id", "=", pullId).execute();
    expect(await ended(pullId)).toMatchObject({ state: "failed", error: expect.stringMatching(/is damaged/) });
  });

  test("a split model file resumes in the part where it was broken off", async () => {
    const six = splitGguf(GGUF, 6);
    const nameOf = (index: number) => `tiny-q8_0-0000${index + 1}-of-00006.gguf`;
    hub.add({ id, files: Object.fromEntries(six.map((part, index) => [nameOf(index), part])) });
    const first = six[0]?.length ?? 0;
    hub.state.store = sending({ cutAt: [undefined, 600_000] });
    const { body } = await pull();
    await server.api.modelHost.pullRunner.waitUntilIdle();
    const waiting = await shown((body as Pull).id);
    expect(waiting).toMatchObject({ state: "queued" });
    expect(waiting.bytes_done).toBeGreaterThan(first);
    expect(await ended((body as Pull).id)).toMatchObject({ state: "done" });
    expect(offsets).toEqual([0, 0, waiting.bytes_done - first, 0, 0, 0, 0]);
  });

  test("a split model file fails when a part has a wrong checksum, and downloads only that part again", async () => {
    addSplit();
    const wrong = Buffer.from(PARTS[1] ?? []);
    wrong[wrong.length - 1] = (wrong.at(-1) ?? 0) ^ 1;
    const store = sending();
    hub.state.store = (request, response, bytes) =>
      store(request, response, bytes.equals(PARTS[1] ?? Buffer.alloc(0)) ? wrong : bytes);
    expect(await pulled()).toMatchObject({
      state: "failed",
      error: `The checksum of ${NAMES[1]} is wrong; it was thrown away.`,
    });
    expect(folders()).toEqual([]);
    hub.state.store = sending();
    expect(await pulled()).toMatchObject({ state: "done" });
    expect(offsets).toEqual([0, 0, 0, 0]);
  });

  test("a split model file is refused before anything is downloaded if the repository lacks a part", async () => {
    const { [NAMES[1] ?? ""]: _, ...others } = FILES;
    hub.add({ id, files: others });
    const answer = await pull();
    expect([answer.status, errorCode(answer.body)]).toEqual([422, "store.parts_missing"]);
    expect(offsets).toEqual([]);
  });

  test("a split model file fails if a part is one of another model", async () => {
    addSplit({ [NAMES[1] ?? ""]: splitGguf(GGUF, 4)[1] ?? Buffer.alloc(0) });
    expect(await pulled()).toMatchObject({
      state: "failed",
      error: expect.stringContaining("it says that it is part 2 of 4, and is part 2 of 3"),
    });
    expect(folders()).toEqual([]);
  });
});

describe("a canceled download", () => {
  /** A store that sends a part and then nothing, until the client disconnects. */
  const hanging =
    (at: number): FakeStore =>
    (request, response, bytes) => {
      offsets.push(fromOf(request));
      response.writeHead(200, { "content-length": bytes.length });
      response.write(bytes.subarray(0, at));
      response.on("close", () => gone++);
    };
  let gone = 0;

  test("canceling a download closes the connection, keeps the partial file, and resumes it later", async () => {
    hub.state.store = hanging(800_000);
    const { body } = await pull();
    const pullId = (body as Pull).id;
    await expect.poll(async () => (await shown(pullId)).bytes_done).toBeGreaterThan(0);
    expect((await cancel(pullId)).status).toBe(204);
    await expect.poll(() => gone).toBeGreaterThan(0);
    await server.api.modelHost.pullRunner.waitUntilIdle();
    expect(await shown(pullId)).toMatchObject({ state: "canceled" });
    expect([stored(), parts().length]).toEqual([[], 1]);
    expect((await cancel(pullId)).status).toBe(204);
    hub.state.store = sending();
    expect(await pulled()).toMatchObject({ state: "done" });
    expect(offsets[1]).toBeGreaterThan(0);
    expect(parts()).toEqual([]);
  });

  test("rejects canceling a download that has ended", async () => {
    const { id: pullId } = await pulled();
    const late = await cancel(pullId);
    expect([late.status, errorCode(late.body)]).toEqual([409, "store.pull_ended"]);
    const none = await cancel("pull_none");
    expect([none.status, errorCode(none.body)]).toEqual([404, "store.pull_not_found"]);
  });
});

describe("a paused download", () => {
  const pause = (pullId: string) => server.call(`${PULLS}/${pullId}/pause`, { method: "POST", token: admin.token });
  const resume = (pullId: string) => server.call(`${PULLS}/${pullId}/resume`, { method: "POST", token: admin.token });
  const auditOf = async (target: string) =>
    (await server.db.selectFrom("audit_log").select("action").where("target", "=", target).orderBy("at").execute()).map(
      ({ action }) => action,
    );

  /** Returns a store that sends a part of each file, and then nothing. */
  const holding: FakeStore = (request, response, bytes) => {
    const from = fromOf(request);
    offsets.push(from);
    const range = from > 0 ? { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {};
    response.writeHead(from > 0 ? 206 : 200, { "content-length": bytes.length - from, ...range });
    response.write(bytes.subarray(from, from + 500_000));
  };
  /** Starts a download and pauses it in the middle of the file. */
  async function paused(): Promise<Pull> {
    hub.state.store = holding;
    const { id: pullId } = (await pull()).body as Pull;
    await expect.poll(async () => (await shown(pullId)).bytes_done).toBeGreaterThan(0);
    expect(await pause(pullId)).toMatchObject({ status: 200, body: { id: pullId, state: "paused" } });
    await server.api.modelHost.pullRunner.waitUntilIdle();
    return shown(pullId);
  }

  test("a paused download keeps its bytes and continues from there", async () => {
    const { id: pullId, bytes_done: here } = await paused();
    expect(here).toBeGreaterThan(0);
    expect(await pause(pullId)).toMatchObject({ status: 200, body: { state: "paused", bytes_done: here } });
    hub.state.store = sending();
    expect(await resume(pullId)).toMatchObject({ status: 200, body: { state: "queued", bytes_done: here } });
    expect(await ended(pullId)).toMatchObject({ state: "done" });
    expect(offsets).toEqual([0, here]);
    expect(await auditOf(pullId)).toEqual(["store.pull", "store.pause", "store.resume"]);
  });

  test("a paused download does not run again by itself, also on another server, and keeps its partial file", async () => {
    const { id: pullId } = await paused();
    const other = server.createOtherPlatform().api.modelHost;
    const longAgo = new Date(Date.now() - 20 * 24 * 3_600_000);
    for (const name of parts()) utimesSync(join(models, "parts", name), longAgo, longAgo);
    for (const host of [server.api.modelHost, other]) {
      await host.pullRunner.poll();
      await host.pullRunner.waitUntilIdle();
      await host.deleteOrphans();
    }
    await other.stop();
    expect([offsets.length, parts().length, (await shown(pullId)).state]).toEqual([1, 1, "paused"]);
    await cancel(pullId);
  });

  test("a paused download lets the next one in the queue run", async () => {
    const held: string[] = [];
    hub.state.store = holding;
    for (const name of ["a", "b", "c"]) {
      hub.add({ id: `${id}-${name}`, files: { [FILE]: Buffer.concat([GGUF, Buffer.from(name)]) } });
      held.push(((await pull({ model_id: `${id}-${name}` })).body as Pull).id);
    }
    const [first = "", , third = ""] = held;
    await expect.poll(async () => (await shown(first)).bytes_done).toBeGreaterThan(0);
    expect((await shown(third)).state).toBe("queued");
    await pause(first);
    await expect.poll(async () => (await shown(third)).state).toBe("downloading");
    for (const pullId of held) await cancel(pullId);
  });

  test("a paused download continues when the same file is requested again", async () => {
    const { id: pullId } = await paused();
    hub.state.store = sending();
    expect(await pull()).toMatchObject({ status: 202, body: { id: pullId, state: "queued" } });
    expect(await ended(pullId)).toMatchObject({ state: "done" });
    expect(await auditOf(pullId)).toEqual(["store.pull", "store.pause", "store.resume"]);
  });

  test("a paused download can be canceled, and then neither paused nor resumed", async () => {
    const { id: pullId } = await paused();
    expect((await cancel(pullId)).status).toBe(204);
    for (const answer of [await pause(pullId), await resume(pullId)])
      expect([answer.status, errorCode(answer.body)]).toEqual([409, "store.pull_ended"]);
    for (const answer of [await pause("pull_none"), await resume("pull_none")])
      expect([answer.status, errorCode(answer.body)]).toEqual([404, "store.pull_not_found"]);
  });

  test("a paused download that is resumed on another server before the first one has stopped is written to by one at a time", async () => {
    let open = 0;
    let mostOpen = 0;
    const counting =
      (store: FakeStore): FakeStore =>
      (request, response, bytes) => {
        mostOpen = Math.max(mostOpen, ++open);
        response.on("close", () => open--);
        store(request, response, bytes);
      };
    hub.state.store = counting(holding);
    const { id: pullId } = (await pull()).body as Pull;
    await expect.poll(async () => (await shown(pullId)).bytes_done).toBeGreaterThan(0);
    hub.state.store = counting(sending());
    const other = server.createOtherPlatform().api.modelHost;
    await other.modelStore.pause(pullId, async () => {});
    await other.modelStore.resume(pullId, async () => {});
    await other.pullRunner.poll();
    await other.pullRunner.waitUntilIdle();
    expect(await ended(pullId)).toMatchObject({ state: "done" });
    await other.stop();
    expect(mostOpen).toBe(1);
  });

  test("a paused download cannot be resumed while the disk has no room for the rest", async () => {
    const { id: pullId } = await paused();
    free = 0;
    const answer = await resume(pullId);
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "store.disk_full"]);
    await cancel(pullId);
  });
});

describe("a disk without room", () => {
  test("a disk without room rejects a file that does not fit and keeps space for the database", async () => {
    free = GGUF.length + 100 * 1024 * 1024;
    const answer = await pull();
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "store.disk_full"]);
    expect(offsets).toEqual([]);
    free = GGUF.length + 300 * 1024 * 1024;
    expect(await pulled()).toMatchObject({ state: "done" });
  });

  test("a disk that becomes full fails the download and leaves no complete file", async () => {
    hub.state.store = sending({ cutAt: [1_000_000] });
    const { body } = await pull();
    await server.api.modelHost.pullRunner.waitUntilIdle();
    free = 0;
    expect(await ended((body as Pull).id)).toMatchObject({
      state: "failed",
      error: expect.stringMatching(/room on the disk/),
    });
    expect(stored()).toEqual([]);
  });
});

test.runIf(process.platform === "linux")("a disk that fills up in the middle of a file says so", async () => {
  mkdirSync(join(models, "parts"), { recursive: true });
  symlinkSync("/dev/full", join(models, "parts", `${SHA}.part`));
  expect(await pulled()).toMatchObject({ state: "failed", error: "The disk is full." });
  expect(stored()).toEqual([]);
});

describe("a download that is interrupted", () => {
  /** Puts a download into the state that a killed process leaves: running, with a lease that no process renews. */
  const leaveRunning = (pullId: string, state: string) =>
    server.db
      .updateTable("store_pulls")
      .set({ state, lease_until: new Date(Date.now() + ahead - 1) })
      .where("id", "=", pullId)
      .execute();

  test("a download that is interrupted by a kill after all bytes came only compares them", async () => {
    const bytes = Buffer.concat([GGUF, Buffer.from("complete")]);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    hub.add({ id, files: { [FILE]: bytes } });
    hub.state.store = sending({ cutAt: [500_000] });
    const { id: pullId } = (await pull()).body as Pull;
    await server.api.modelHost.pullRunner.waitUntilIdle();
    writeFileSync(join(models, "parts", `${sha256}.part`), bytes);
    await leaveRunning(pullId, "verifying");
    expect(await ended(pullId)).toMatchObject({ state: "done" });
    expect([offsets, parts(), stored()]).toEqual([[0], [], [`${sha256}.gguf`]]);
  });

  test("a download that is interrupted by a kill after the file got its place stores its model", async () => {
    const { id: pullId } = await pulled();
    await server.db.deleteFrom("store_files").where("model_id", "=", id).execute();
    await leaveRunning(pullId, "verifying");
    expect(await ended(pullId)).toMatchObject({ state: "done" });
    expect(offsets).toEqual([0]);
    expect(await server.api.modelHost.files.findModel(id, null)).toMatchObject({ sha256: SHA });
  });

  test("a download that a person cancels while it waits in the queue never begins", async () => {
    hub.state.store = (request) => void offsets.push(fromOf(request));
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) {
      hub.add({ id: `${id}-${name}`, files: { [FILE]: Buffer.concat([GGUF, Buffer.from(`queue ${name}`)]) } });
      ids.push(((await pull({ model_id: `${id}-${name}` })).body as Pull).id);
    }
    await expect.poll(() => offsets.length).toBe(2);
    for (const pullId of ids.toReversed()) expect((await cancel(pullId)).status).toBe(204);
    await server.api.modelHost.pullRunner.waitUntilIdle();
    expect([offsets.length, (await shown(ids[2] ?? "")).state]).toEqual([2, "canceled"]);
  });

  test("a download that a person cancels at its end is either done or canceled, as the answer says", async () => {
    const store = sending();
    const { promise: started, resolve: setId } = Promise.withResolvers<string>();
    const { promise: canceled, resolve } = Promise.withResolvers<number>();
    hub.state.store = (request, response, bytes) => {
      response.on("finish", () => void started.then(cancel).then(({ status }) => resolve(status)));
      store(request, response, bytes);
    };
    const pullId = ((await pull()).body as Pull).id;
    setId(pullId);
    const expected = (await canceled) === 204 ? "canceled" : "done";
    await server.api.modelHost.pullRunner.waitUntilIdle();
    expect((await shown(pullId)).state).toBe(expected);
    expect((await server.api.modelHost.files.findModel(id, null)) !== undefined).toBe(expected === "done");
  });

  test("a download whose token the hub no longer accepts fails and drops the token", async () => {
    hub.add({ id, gated: true, files: { [FILE]: GGUF } });
    tokens.hf_reader?.reads?.push(id);
    hub.state.store = sending({ cutAt: [800_000] });
    const model = await createHub({ dir: undefined, url: hub.baseUrl }, [], readCardInThread).model(id, {
      token: "hf_reader",
    });
    const { id: pullId } = await server.api.modelHost.modelStore.pull(
      { model, token: "hf_reader", organizationId: null, createdBy: admin.userId },
      async () => {},
    );
    await server.api.modelHost.pullRunner.waitUntilIdle();
    expect(await shown(pullId)).toMatchObject({ state: "queued" });
    delete tokens.hf_reader;
    expect(await ended(pullId)).toMatchObject({
      state: "failed",
      error: "The model hub does not know this token, or it has expired.",
    });
    const row = await server.db
      .selectFrom("store_pulls")
      .select("sealed_token")
      .where("id", "=", pullId)
      .executeTakeFirst();
    expect(row?.sealed_token).toBeNull();
  });
});

describe("the hub", () => {
  test.each<[string, () => object, number, string]>([
    ["reports an unknown model", () => ({ model_id: "nobody/nothing" }), 404, "hub.not_found"],
    ["reports an unknown file", () => ({ model_id: id, file: "none.gguf" }), 400, "invalid_request"],
  ])("a download from the hub %s", async (_what, body, status, code) => {
    const answer = await pull(body());
    expect([answer.status, errorCode(answer.body)]).toEqual([status, code]);
  });

  test("rejects downloading a repository without a file that can be loaded", async () => {
    hub.add({ id, files: { "model.safetensors": { size: 5_000 }, "mmproj.gguf": { size: 5_000 } } });
    const answer = await pull();
    expect([answer.status, errorCode(answer.body)]).toEqual([422, "store.no_gguf"]);
  });

  test.each<[string, { status: number; body?: string }, number, string]>([
    ["reports a status of 500", { status: 500 }, 503, "hub.unavailable"],
    ["reports a status of 429", { status: 429 }, 503, "hub.rate_limited"],
    ["reports a body that is not JSON", { status: 200, body: "<html>" }, 502, "hub.invalid_response"],
  ])("a download from the hub %s", async (_what, fault, status, code) => {
    hub.state.failure = fault;
    const answer = await pull();
    expect([answer.status, errorCode(answer.body)]).toEqual([status, code]);
  });

  test("a download from the hub reports a gated model", async () => {
    hub.add({ id, gated: true, files: { [FILE]: GGUF } });
    expect(await pulled()).toMatchObject({
      state: "failed",
      error: expect.stringMatching(/does not let this token read/),
    });
    expect(stored()).toEqual([]);
  });
});

describe("the operations", () => {
  test.each<[object]>([[{}], [{ model_id: 7 }], [{ model_id: id, path: "x" }], [{ model_id: "x".repeat(300) }]])(
    "a request for a download rejects %j",
    async (body) => {
      expect((await pull(body)).status).toBe(400);
    },
  );

  test("the operations of the model store respond 404 to users who are not admins", async () => {
    const { token } = await server.signUp();
    const statuses = [
      await server.call(PULLS, { token }),
      await server.call(PULLS, { token, body: { model_id: id } }),
      await cancel("pull_1", token),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404]);
  });
});

describe("unused files", () => {
  test("deletes unused model files after a while and keeps used ones", async () => {
    await pulled();
    const orphan = join(models, `${"0".repeat(64)}.gguf`);
    const part = join(models, "parts", "old.part");
    writeFileSync(orphan, "x");
    writeFileSync(part, "x");
    const today = new Date(Date.now() + ahead);
    for (const path of [orphan, part]) utimesSync(path, today, today);
    await server.api.modelHost.deleteOrphans();
    expect([existsSync(orphan), existsSync(part)]).toEqual([true, true]);
    const longAgo = new Date(Date.now() + ahead - 20 * 24 * 3_600_000);
    for (const path of [orphan, part, join(models, `${SHA}.gguf`)]) utimesSync(path, longAgo, longAgo);
    await server.api.modelHost.deleteOrphans();
    expect([existsSync(orphan), existsSync(part)]).toEqual([false, false]);
    expect(statSync(join(models, `${SHA}.gguf`)).size).toBe(GGUF.length);
  });
});
