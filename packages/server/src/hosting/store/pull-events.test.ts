import type { FakeHub, FakeStore } from "@feather/testing/fake-hub";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { GGUF, type ModelStoreServer, PULLS, startModelStore } from "../../testing/model-store.ts";
import type { Account, TestServer } from "../../testing/server.ts";
import { startOtherServer } from "../../testing/two-servers.ts";
import { createPullEstimate } from "./pull-estimate.ts";

const STREAM = `${PULLS}/stream`;
const FIRST_BYTES = 600_000;
let store: ModelStoreServer;
let hub: FakeHub;
let server: TestServer;
let admin: Account;
let count = 0;
let id = "";
let release = () => {};

/** Sends the first part of each file, and the rest when `release` is called. */
function createHoldingStore(): FakeStore {
  const { promise, resolve } = Promise.withResolvers<void>();
  release = resolve;
  return (_request, response, bytes) => {
    response.writeHead(200, { "content-length": bytes.length });
    response.write(bytes.subarray(0, FIRST_BYTES));
    void promise.then(() => response.end(bytes.subarray(FIRST_BYTES)));
  };
}

beforeAll(async () => {
  store = await startModelStore({ env: { FEATHER_MODEL_MEMORY: "4000" } });
  ({ hub, server, admin } = store);
});
afterAll(() => store.stop());
beforeEach(() => {
  id = `acme/followed-${++count}`;
  hub.add({ id, files: { "f-Q8_0.gguf": Buffer.concat([GGUF, Buffer.from(id)]) } });
  hub.state.store = createHoldingStore();
});

type Item = { id: string; model_id: string; state: string; bytes_done: number; bytes_per_second: number | null };

/** Opens the stream of downloads. `next` returns the items of the next event that fulfils a condition. */
async function openStream(token = admin.token, at: Pick<TestServer, "send"> = server) {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const response = await at.send(STREAM, { token, signal: abort.signal });
  const reader = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  const read = async (): Promise<Item[] | null> => {
    const result = await reader?.read();
    return result?.value ? (JSON.parse(result.value.data) as { items: Item[] }).items : null;
  };
  return {
    response,
    close: () => abort.abort(),
    read,
    async next(holds: (item: Item) => boolean): Promise<Item> {
      for (;;) {
        const items = await read();
        if (items === null) throw new Error("The stream has ended.");
        const found = items.find(holds);
        if (found) return found;
      }
    },
  };
}

async function createAdmin(): Promise<Account> {
  const account = await server.signUp();
  await server.db.updateTable("users").set({ is_admin: true }).where("id", "=", account.userId).execute();
  return account;
}
async function startPull(): Promise<string> {
  const { status, body, text } = await store.pull({ model_id: id });
  if (status !== 202) throw new Error(text);
  return (body as { id: string }).id;
}
async function availability(model = id) {
  const { body } = await server.call(`/api/feather/models/${encodeURIComponent(model)}`);
  return (body as { availability: object; status: string; health: string }).availability;
}
function addModel() {
  const [owned_by = "", name = ""] = id.split("/");
  const row = { id, id_lower: id, owned_by, name, parameter_size: 1e9, model_class_id: "qwen3-8b" };
  return server.db
    .insertInto("models")
    .values({ ...row, source: "catalogue" })
    .execute();
}

describe("the stream of downloads", () => {
  test("the stream of downloads sends open downloads at once, then each change, and the state that a download ends in", async () => {
    const pullId = await startPull();
    const stream = await openStream();
    expect(stream.response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(await stream.read()).toMatchObject([{ id: pullId, model_id: id, bytes_per_second: null }]);
    const { state } = await stream.next(({ bytes_done }) => bytes_done === FIRST_BYTES);
    expect(state).toBe("downloading");
    release();
    expect(await stream.next((item) => item.state === "done")).toMatchObject({ id: pullId, seconds_left: null });
    const another = await openStream();
    expect(await another.read()).toEqual([]);
  });

  test("the stream of downloads continues at another server after the connection to the first is lost", async () => {
    const other = await startOtherServer(server);
    onTestFinished(other.close);
    const pullId = await startPull();
    const first = await openStream();
    await first.next(({ bytes_done }) => bytes_done === FIRST_BYTES);
    first.close();
    const second = await openStream(admin.token, other);
    expect(await second.read()).toMatchObject([{ id: pullId, state: "downloading", bytes_done: FIRST_BYTES }]);
    release();
    expect(await second.next((item) => item.state === "done")).toMatchObject({ id: pullId });
    second.close();
  });

  test("the stream of downloads says that a download is paused, and that it was canceled", async () => {
    const stream = await openStream();
    const pullId = await startPull();
    await stream.next((item) => item.id === pullId);
    await server.call(`${PULLS}/${pullId}/pause`, { method: "POST", token: admin.token });
    await stream.next((item) => item.id === pullId && item.state === "paused");
    await server.call(`${PULLS}/${pullId}`, { method: "DELETE", token: admin.token });
    await stream.next((item) => item.id === pullId && item.state === "canceled");
  });

  test("the stream of downloads ends when the server stops", async () => {
    const stream = await openStream();
    await stream.read();
    server.platform.lifecycle.draining = true;
    onTestFinished(() => void Object.assign(server.platform.lifecycle, { draining: false }));
    await expect.poll(() => stream.read(), { timeout: 5_000 }).toBeNull();
  });

  test("the stream of downloads ends when its reader signs out", async () => {
    const other = await createAdmin();
    const stream = await openStream(other.token);
    await server.call("/api/auth/logout", { method: "POST", token: other.token });
    await expect.poll(() => stream.read(), { timeout: 10_000 }).toBeNull();
  });

  test("the stream of downloads is for administrators", async () => {
    expect((await server.call(STREAM)).status).toBe(401);
    const user = await server.signUp();
    expect((await server.call(STREAM, { token: user.token })).status).toBe(404);
  });
});

describe("the catalogue", () => {
  test("the catalogue says of a model that is being downloaded that it is loading, and how far", async () => {
    await addModel();
    expect(await availability()).toMatchObject({ tier: "offline", loading_stage: null, loading_progress: null });
    const pullId = await startPull();
    expect(await availability()).toMatchObject({ tier: "loading", loading_stage: expect.any(String) });
    const stream = await openStream();
    await stream.next(({ bytes_done }) => bytes_done === FIRST_BYTES);
    expect(await availability()).toMatchObject({
      tier: "loading",
      loading_stage: "downloading",
      is_hot_live: false,
      loading_progress: expect.closeTo(FIRST_BYTES / (GGUF.length + id.length), 5),
      estimated_ready_at: expect.any(String),
    });
    const listed = await server.call("/api/feather/models?availability=loading");
    expect((listed.body as { items: { id: string }[] }).items.map((model) => model.id)).toEqual([id]);
    await server.call(`${PULLS}/${pullId}/pause`, { method: "POST", token: admin.token });
    expect(await availability()).toMatchObject({ tier: "offline" });
    await server.call(`${PULLS}/${pullId}/resume`, { method: "POST", token: admin.token });
    expect(await availability()).toMatchObject({ tier: "loading" });
    release();
    await stream.next((item) => item.id === pullId && item.state === "done");
    expect(await availability()).toMatchObject({ tier: "cold", loading_stage: null });
  });

  test("the catalogue lets a model be requested and deleted while it is being downloaded", async () => {
    await addModel();
    await startPull();
    const user = await server.signUp();
    const path = encodeURIComponent(id);
    const requested = await server.call(`/api/feather/models/${path}`, { token: user.token, body: {} });
    expect(requested.status).toBeLessThan(300);
    const deleted = await server.call(`/api/admin/models/${path}`, { method: "DELETE", token: admin.token });
    expect(deleted.status).toBe(204);
    release();
  });
});

test("the speed of a download is measured by the bytes of the last seconds, and starts anew when bytes were lost", () => {
  const time = { ms: 0 };
  const estimate = createPullEstimate({ now: () => new Date(time.ms) });
  const look = (seconds: number, bytes: number) => {
    time.ms = seconds * 1000;
    return estimate.measure({
      id: "pull_1",
      state: "downloading",
      bytes_done: bytes,
      bytes_total: 10_000,
      conversion_progress: null,
    });
  };
  expect(look(0, 0)).toEqual({ bytesPerSecond: null, secondsLeft: null });
  expect(look(1, 100)).toEqual({ bytesPerSecond: null, secondsLeft: null });
  expect(look(10, 1_000)).toEqual({ bytesPerSecond: 100, secondsLeft: 90 });
  // The first samples are older than the window.
  expect(look(20, 4_000)).toEqual({ bytesPerSecond: 300, secondsLeft: 20 });
  expect(look(60, 4_000)).toEqual({ bytesPerSecond: null, secondsLeft: null });
  expect(look(61, 500)).toEqual({ bytesPerSecond: null, secondsLeft: null });
  expect(look(64, 800)).toEqual({ bytesPerSecond: 100, secondsLeft: 92 });
});
