import { createTestClock } from "@feather/testing/clock";
import { waitFor } from "@feather/testing/wait-for";
import { expect, onTestFinished, test, vi } from "vitest";
import { privateModelKey } from "../../platform/core/models/model-keys.ts";
import { createOpenPulls, type OpenPull } from "./open-pulls.ts";
import { createPullEstimate } from "./pull-estimate.ts";
import type { OpenPullRow } from "./rows/pull-rows.ts";
import type { ModelStore } from "./store.usecases.ts";
import { buildPull } from "./testing/rows.ts";

const buildOpenPull = (fields: Partial<OpenPullRow> = {}): OpenPullRow => ({
  ...buildPull({ state: "downloading" }),
  catalogue_id: null,
  ...fields,
});

/** Creates the copy of these downloads, which the test may change. Records what was read and logged. */
function createCopy(rows: OpenPullRow[] = []) {
  const database = { rows, failure: null as Error | null, gate: Promise.resolve() };
  const reads: (readonly string[])[] = [];
  const logged: string[] = [];
  const openPulls = createOpenPulls({
    storeRepository: {
      async listOpen(ids) {
        reads.push(ids);
        const { rows: stored, failure } = database;
        await database.gate;
        if (failure) throw failure;
        return stored;
      },
    },
    estimate: createPullEstimate(createTestClock()),
    log: { error: (...line: unknown[]) => void logged.push(String(line[1])) },
  });
  return { openPulls, database, reads, logged };
}

test("the copy is empty before the first read", () => {
  const { openPulls } = createCopy([buildOpenPull()]);
  expect([openPulls.list(), openPulls.loadingKeys(), openPulls.loading("acme/tiny")]).toEqual([[], [], null]);
});

test("a public model has the catalogue's spelling of its id as its key, a private one the key of its organization", async () => {
  const { openPulls } = createCopy([
    buildOpenPull({ id: "1", catalogue_id: "Acme/Tiny" }),
    buildOpenPull({ id: "2" }),
    buildOpenPull({ id: "3", organization_id: "org_1" }),
  ]);
  await openPulls.refresh();
  expect(openPulls.loadingKeys()).toEqual(["Acme/Tiny", "acme/tiny", privateModelKey("org_1", "acme/tiny")]);
});

test("a paused download is listed, but its model is not being loaded", async () => {
  const { openPulls } = createCopy([buildOpenPull({ state: "paused" })]);
  await openPulls.refresh();
  expect(openPulls.list()).toMatchObject([{ state: "paused" }]);
  expect([openPulls.loadingKeys(), openPulls.loading("acme/tiny")]).toEqual([[], null]);
});

test.each(["queued", "downloading", "verifying", "converting"])(
  "a model is being loaded while it is %s",
  async (state) => {
    const { openPulls } = createCopy([buildOpenPull({ state })]);
    await openPulls.refresh();
    expect(openPulls.loading("acme/tiny")).toMatchObject({ tier: "loading", stage: state });
  },
);

test("a download that has ended is reported once, and then neither listed nor read again", async () => {
  const { openPulls, database, reads } = createCopy([buildOpenPull()]);
  await openPulls.refresh();
  const reported: (readonly OpenPull[])[] = [];
  const stop = openPulls.subscribe((pulls) => void reported.push(pulls));
  database.rows = [buildOpenPull({ state: "done" })];
  await openPulls.refresh();
  stop();
  expect(reported.some((pulls) => pulls[0]?.state === "done")).toBe(true);
  expect(openPulls.list()).toEqual([]);
  await openPulls.refresh();
  expect(reads.slice(0, 2)).toEqual([[], ["pull_1"]]);
  expect(reads.at(-1)).toEqual([]);
});

test("a read contains what was stored before it was requested, although another read is in progress", async () => {
  const { openPulls, database } = createCopy([]);
  const { promise, resolve } = Promise.withResolvers<void>();
  database.gate = promise;
  const first = openPulls.refresh();
  database.rows = [buildOpenPull()];
  const second = openPulls.refresh();
  resolve();
  await first;
  await second;
  expect(openPulls.list().length).toBe(1);
});

test("a failed read rejects, keeps the last copy, and does not prevent the next one", async () => {
  const { openPulls, database } = createCopy([buildOpenPull()]);
  await openPulls.refresh();
  database.failure = new Error("Connection terminated");
  await expect(openPulls.job.run()).rejects.toThrow("Connection terminated");
  expect(openPulls.list().length).toBe(1);
  Object.assign(database, { failure: null, rows: [] });
  await openPulls.refresh();
  expect(openPulls.list()).toEqual([]);
});

test("every use case that changes downloads is followed by a read, also if the read fails", async () => {
  const { openPulls, database, reads, logged } = createCopy();
  const pull = buildPull();
  const change = async () => pull;
  const unchanged = () => expect.unreachable("It was not called.");
  const names = ["pull", "pullPublic", "cancel", "pause", "resume"] as const;
  const others = ["listSourceFiles", "list"].map((name) => [name, unchanged]);
  const store = openPulls.addTo(
    Object.fromEntries([...names.map((name) => [name, change]), ...others]) as unknown as ModelStore,
  );
  for (const name of names) await (store[name] as () => Promise<unknown>)();
  expect(reads.length).toBe(names.length);
  database.failure = new Error("Connection terminated");
  expect(await (store.pull as () => Promise<unknown>)()).toBe(pull);
  expect(logged).toEqual(["downloads cannot be read"]);
});

test("a use case that fails is not followed by a read", async () => {
  const { openPulls, reads } = createCopy();
  const refusal = new Error("The disk is full.");
  const store = openPulls.addTo({ pull: () => Promise.reject(refusal) } as unknown as ModelStore);
  await expect((store.pull as () => Promise<unknown>)()).rejects.toBe(refusal);
  expect(reads).toEqual([]);
});

test("all listeners hear of a read, and none after it has ended its subscription", async () => {
  const { openPulls } = createCopy([buildOpenPull()]);
  const [first, second] = [vi.fn(), vi.fn()];
  const stopFirst = openPulls.subscribe(first);
  const stopSecond = openPulls.subscribe(second);
  onTestFinished(stopSecond);
  await openPulls.refresh();
  stopFirst();
  first.mockClear();
  second.mockClear();
  await openPulls.refresh();
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalled();
});

test("the downloads are read again and again while somebody listens, also after a failed read", async () => {
  const { openPulls, database, logged } = createCopy([buildOpenPull()]);
  database.failure = new Error("Connection terminated");
  const listener = vi.fn();
  const stop = openPulls.subscribe(listener);
  onTestFinished(stop);
  await waitFor(() => expect(logged).toContain("downloads cannot be read"));
  database.failure = null;
  await waitFor(() => expect(listener).toHaveBeenCalled());
});
