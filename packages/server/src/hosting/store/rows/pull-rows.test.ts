import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../platform/core/db/connect.ts";
import { MINUTE_MS, SECOND_MS } from "../../../platform/core/time.ts";
import { createTestDatabase } from "../../../testing/database.ts";
import { buildPull, STORED_AT } from "../testing/rows.ts";
import { listNeededFolders } from "./model-rows.ts";
import {
  cancelPull,
  cancelPullsOfModel,
  claimPull,
  countAutomaticPulls,
  findLatestPublicPull,
  findPublicPull,
  findPull,
  listOpenPulls,
  listPausedPulls,
  listPulls,
  listUnfinishedConversions,
  markAutomatic,
  type PullRow,
  partsOf,
  pausePull,
  releasePull,
  resumePull,
  startPull,
  sumRunningBytes,
  toPartsColumn,
  updateRunningPull,
} from "./pull-rows.ts";

const SHA = "a".repeat(64);
const NOW = new Date("2026-03-02T00:00:00Z");
const LEASE = new Date(NOW.getTime() + MINUTE_MS);
const OPEN = ["queued", "downloading", "verifying", "converting", "paused"];
const RUNNING = ["downloading", "verifying", "converting"];
const ENDED = ["done", "failed", "canceled"];

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterEach(() => database.close());

let count = 0;
/** Stores a download of a file of its own, a second later than the one before. */
async function insert(fields: Partial<PullRow> = {}): Promise<PullRow> {
  count += 1;
  const created_at = new Date(STORED_AT.getTime() + count * SECOND_MS);
  const row = buildPull({ id: `pull_${count}`, file: `tiny-${count}.gguf`, created_at, ...fields });
  await db.insertInto("store_pulls").values(row).execute();
  return row;
}
async function insertOrganization(id: string): Promise<string> {
  await db.insertInto("organizations").values({ id, name: id }).execute();
  return id;
}
async function insertModel(id: string): Promise<void> {
  const names = { id, id_lower: id.toLowerCase(), owned_by: "Acme", name: "Tiny" };
  await db
    .insertInto("models")
    .values({ ...names, model_class_id: "qwen3-8b", source: "hub" })
    .execute();
}
const claim = (kind: Parameters<typeof claimPull>[1] = "gguf", now = NOW) => claimPull(db, kind, now, LEASE);
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
const start = (fields: Partial<PullRow>) => startPull(buildPull(fields), NOW, db);

describe("a request for a download", () => {
  test("the first request for a file stores its download", async () => {
    const { row, outcome } = await start({ id: "one" });
    expect([outcome, row.state]).toEqual(["started", "queued"]);
    expect(await findPull(db, "one")).toEqual(row);
  });

  test.each(["queued", ...RUNNING])("a request for a file whose download is %s joins that download", async (state) => {
    const row = await insert({ file: "tiny.gguf", state });
    expect(await start({ id: "other" })).toEqual({ row, outcome: "joined" });
    expect(await findPull(db, "other")).toBeUndefined();
  });

  test("a request for a file whose download is paused queues it again, with all its attempts", async () => {
    const { id } = await insert({ file: "tiny.gguf", state: "paused", attempts: 7, bytes_done: 5 });
    expect(await start({ id: "other" })).toMatchObject({
      row: { id, state: "queued", attempts: 0, bytes_done: 5, updated_at: NOW },
      outcome: "resumed",
    });
  });

  test.each(ENDED)("a request for a file whose download is %s stores a new one", async (state) => {
    await insert({ file: "tiny.gguf", state });
    expect(await start({ id: "other" })).toMatchObject({ row: { id: "other" }, outcome: "started" });
  });

  test.each([
    ["file", { file: "other.gguf" }],
    ["commit", { revision: "two" }],
    ["repository", { repository: "acme/other" }],
    ["model", { model_id: "acme/other" }],
  ])("a request for another %s stores a new download", async (_what, fields) => {
    await insert({ file: "tiny.gguf" });
    expect(await start({ id: "other", ...fields })).toMatchObject({ outcome: "started" });
  });

  test("an organization never joins the download of another one, or the public one", async () => {
    await insert({ file: "tiny.gguf" });
    for (const id of ["org_1", "org_2"]) {
      await insertOrganization(id);
      expect(await start({ id: `for_${id}`, organization_id: id })).toMatchObject({ outcome: "started" });
      expect(await start({ id: `again_${id}`, organization_id: id })).toMatchObject({
        row: { id: `for_${id}` },
        outcome: "joined",
      });
    }
  });

  test("requests at the same time store one download", async () => {
    const outcomes = await Promise.all(["1", "2", "3", "4"].map((id) => start({ id })));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(["joined", "joined", "joined", "started"]);
    expect(new Set(outcomes.map(({ row }) => row.id)).size).toBe(1);
  });
});

describe("the claim of a download", () => {
  test("the oldest download is claimed first, and none twice", async () => {
    const [first, second] = [await insert(), await insert()];
    expect(await claim()).toMatchObject({ id: first.id, state: "downloading", lease_until: LEASE, updated_at: NOW });
    expect(await claim()).toMatchObject({ id: second.id });
    expect(await claim()).toBeUndefined();
  });

  test.each([
    ["gguf", {}],
    ["safetensors", { file: "model.safetensors" }],
    ["ollama", { repository: "ollama:tiny" }],
    ["conversion", { is_conversion: true, file: "tiny-Q8_0.gguf" }],
  ] as const)("a download is claimed by those that do its kind only: %s", async (kind, fields) => {
    const { id } = await insert(fields);
    for (const other of ["gguf", "safetensors", "ollama", "conversion"] as const)
      if (other !== kind) expect(await claim(other)).toBeUndefined();
    expect(await claim(kind)).toMatchObject({ id });
  });

  test("a download whose process died is claimed when its lease has expired, with the bytes that it has", async () => {
    const { id } = await insert({ state: "verifying", lease_until: NOW, bytes_done: 5, conversion_progress: 0.5 });
    expect(await claim("gguf", NOW)).toBeUndefined();
    expect(await claim("gguf", new Date(NOW.getTime() + 1))).toMatchObject({
      id,
      state: "downloading",
      bytes_done: 5,
      conversion_progress: null,
    });
  });

  test("a queued download is not claimed before the time of its next attempt", async () => {
    await insert({ lease_until: LEASE });
    expect(await claim()).toBeUndefined();
    expect(await claim("gguf", new Date(LEASE.getTime() + 1))).toBeDefined();
  });

  test.each(["paused", ...ENDED])("a download that is %s is not claimed", async (state) => {
    await insert({ state });
    expect(await claim()).toBeUndefined();
  });

  test("equal files are downloaded one after the other, although different models use them", async () => {
    const first = await insert({ sha256: SHA });
    const second = await insert({ sha256: SHA, model_id: "acme/other" });
    expect(await claim()).toMatchObject({ id: first.id });
    expect(await claim()).toBeUndefined();
    await updateRunningPull(db, first.id, { state: "done", lease_until: null });
    expect(await claim()).toMatchObject({ id: second.id });
  });

  test("files with unknown checksums do not wait for one another", async () => {
    await insert({ sha256: null });
    await insert({ sha256: null });
    expect([await claim(), await claim()].every((row) => row !== undefined)).toBe(true);
  });

  test("processes that claim at the same time get different downloads", async () => {
    const rows = [await insert(), await insert(), await insert()];
    const claimed = await Promise.all(rows.map(() => claim()));
    expect(new Set(claimed.map((row) => row?.id))).toEqual(new Set(idsOf(rows)));
  });
});

describe("a download that is canceled, paused or resumed", () => {
  test.each(OPEN)("a download that is %s can be canceled, which deletes its token", async (state) => {
    const { id } = await insert({ state, sealed_token: Buffer.from("sealed") });
    expect(await cancelPull(id, NOW, db)).toBe(true);
    expect(await findPull(db, id)).toMatchObject({ state: "canceled", sealed_token: null, updated_at: NOW });
    expect(await cancelPull(id, NOW, db)).toBe(false);
  });

  test.each(ENDED)("a download that is %s can be neither canceled nor paused nor resumed", async (state) => {
    const row = await insert({ state });
    expect(await cancelPull(row.id, NOW, db)).toBe(false);
    expect(await pausePull(row.id, NOW, db)).toBeUndefined();
    expect(await resumePull(row.id, NOW, db)).toBeUndefined();
    expect(await findPull(db, row.id)).toEqual(row);
  });

  test("a download that does not exist can be neither canceled nor paused nor resumed", async () => {
    expect(await cancelPull("missing", NOW, db)).toBe(false);
    expect(await pausePull("missing", NOW, db)).toBeUndefined();
    expect(await resumePull("missing", NOW, db)).toBeUndefined();
  });

  test("a pause keeps the bytes and the token, and forgets the last error", async () => {
    const fields = { bytes_done: 5, sealed_token: Buffer.from("sealed") };
    const { id } = await insert({ ...fields, error: "The model hub broke off." });
    expect(await pausePull(id, NOW, db)).toMatchObject({ ...fields, state: "paused", error: null });
    expect(await pausePull(id, NOW, db)).toBeUndefined();
    expect(idsOf(await listPausedPulls(db))).toEqual([id]);
  });

  test.each(RUNNING)("while a process still works on a download that was %s, no other one gets it", async (state) => {
    const { id } = await insert({ state, lease_until: LEASE });
    await pausePull(id, NOW, db);
    await resumePull(id, NOW, db);
    expect(await claim()).toBeUndefined();
    await releasePull(db, id, 7);
    expect(await claim()).toMatchObject({ id, bytes_done: 7 });
  });

  test("a queued download that waits for its next attempt is claimed at once after it was paused and resumed", async () => {
    const { id } = await insert({ lease_until: LEASE });
    await pausePull(id, NOW, db);
    await resumePull(id, NOW, db);
    expect(await claim()).toMatchObject({ id });
  });

  test.each(["queued", "paused", ...ENDED])(
    "progress of a process is not stored for a download that is %s",
    async (state) => {
      const row = await insert({ state });
      expect(await updateRunningPull(db, row.id, { bytes_done: 9 })).toBe(false);
      expect(await findPull(db, row.id)).toEqual(row);
    },
  );

  test("a process cannot end the lease of a download that it was not withdrawn from", async () => {
    const { id } = await insert({ state: "downloading", lease_until: LEASE });
    await releasePull(db, id, 7);
    expect(await findPull(db, id)).toMatchObject({ lease_until: LEASE, bytes_done: 0 });
  });

  test("the downloads of a private model are canceled together, those of others are not", async () => {
    for (const id of ["org_1", "org_2"]) await insertOrganization(id);
    const own = [
      await insert({ organization_id: "org_1" }),
      await insert({ organization_id: "org_1", state: "paused" }),
    ];
    await insert({ organization_id: "org_1", state: "done" });
    await insert({ organization_id: "org_1", model_id: "acme/other" });
    await insert({ organization_id: "org_2" });
    await insert();
    expect(idsOf(await cancelPullsOfModel("acme/tiny", "org_1", NOW, db)).sort()).toEqual(idsOf(own).sort());
  });
});

describe("the lists of downloads", () => {
  test("unfinished downloads are listed from the oldest to the newest, with those that were named", async () => {
    const open = [];
    for (const state of OPEN) open.push(await insert({ state }));
    const ended = [];
    for (const state of ENDED) ended.push(await insert({ state }));
    expect(idsOf(await listOpenPulls(db, []))).toEqual(idsOf(open));
    expect(idsOf(await listOpenPulls(db, idsOf(ended.slice(0, 1))))).toEqual(idsOf([...open, ...ended.slice(0, 1)]));
  });

  test("an unfinished download has the catalogue's spelling of its model, unless the model is private", async () => {
    await insertModel("Acme/Tiny");
    await insert();
    await insert({ model_id: "acme/unknown" });
    const names = (await listOpenPulls(db, [])).map(({ catalogue_id }) => catalogue_id);
    expect(names).toEqual(["Acme/Tiny", null]);
  });

  test("the list for administrators has the latest hundred downloads, the newest first", async () => {
    const rows = [];
    for (let index = 0; index < 101; index++) rows.push(await insert({ state: "done" }));
    expect(idsOf(await listPulls(db))).toEqual(idsOf(rows.slice(1).reverse()));
  });

  test("conversions count as unfinished until they have ended and no process works on them", async () => {
    const isConversion = { is_conversion: true };
    const open = await insert({ ...isConversion, state: "converting" });
    const stopping = await insert({ ...isConversion, state: "canceled", lease_until: LEASE });
    await insert({ ...isConversion, state: "canceled", lease_until: new Date(NOW.getTime() - 1) });
    await insert({ ...isConversion, state: "done" });
    await insert({ state: "downloading" });
    expect(await listUnfinishedConversions(db, NOW)).toEqual(new Set(idsOf([open, stopping])));
  });

  test("the bytes of running downloads are summed without one of them, with what a conversion will store", async () => {
    expect(await sumRunningBytes(db, "none")).toBe(0);
    const one = await insert({ state: "downloading", bytes_total: 10 });
    await insert({ state: "converting", bytes_total: 1_000, stored_bytes: 300 });
    await insert({ state: "verifying", bytes_total: 2 ** 45 });
    for (const state of ["queued", "paused", ...ENDED]) await insert({ state, bytes_total: 7_777 });
    expect(await sumRunningBytes(db, one.id)).toBe(300 + 2 ** 45);
    expect(await sumRunningBytes(db, "none")).toBe(310 + 2 ** 45);
  });

  test("the latest public download of a model is found in any spelling of its id", async () => {
    await insertOrganization("org_1");
    await insert({ file: "a.gguf", state: "done" });
    const latest = await insert({ file: "a.gguf", state: "failed" });
    await insert({ file: "a.gguf", organization_id: "org_1" });
    expect(await findLatestPublicPull(db, "ACME/Tiny")).toEqual(latest);
    expect(await findPublicPull(db, "Acme/TINY", "a.gguf")).toEqual({ model_id: "acme/tiny", repository: "acme/tiny" });
    expect(await findPublicPull(db, "acme/tiny", "A.gguf")).toBeUndefined();
    expect(await findLatestPublicPull(db, "acme/other")).toBeUndefined();
  });

  test("the unfinished downloads that calls of an organization started are counted", async () => {
    for (const id of ["org_1", "org_2"]) await insertOrganization(id);
    for (const state of [...OPEN, ...ENDED]) await markAutomatic((await insert({ state })).id, "org_1", db);
    await insert();
    expect(await countAutomaticPulls(db, "org_1")).toBe(OPEN.length);
    expect(await countAutomaticPulls(db, "org_2")).toBe(0);
  });
});

describe("the folders of safetensors files that are kept", () => {
  const SINCE = new Date(NOW.getTime() - MINUTE_MS);
  const weights = { file: "model.safetensors" };
  const listRevisions = async () =>
    (await listNeededFolders(db, { now: NOW, since: SINCE })).map(({ revision }) => revision).sort();

  test("those of unfinished downloads are kept, and those that a process still works on", async () => {
    for (const state of OPEN) await insert({ ...weights, revision: state, state });
    await insert({ ...weights, revision: "stopping", state: "canceled", lease_until: NOW, updated_at: new Date(0) });
    await insert({ ...weights, revision: "stopped", state: "canceled", updated_at: new Date(0) });
    await insert({ ...weights, revision: "stored", state: "done" });
    await insert({ revision: "gguf" });
    expect(await listRevisions()).toEqual([...OPEN, "stopping"].sort());
  });

  test("those of downloads that have ended are kept for a while, of private ones while their model exists", async () => {
    await insertOrganization("org_1");
    const recent = { ...weights, state: "failed", updated_at: new Date(SINCE.getTime() + 1) };
    await insert({ ...recent, revision: "public" });
    await insert({ ...recent, revision: "old", updated_at: SINCE });
    await insert({ ...recent, revision: "deleted", organization_id: "org_1" });
    const { id } = await insert({ ...recent, revision: "private", organization_id: "org_1" });
    await insertModel("acme/tiny");
    const times = { created_at: NOW, updated_at: NOW };
    await db
      .insertInto("private_models")
      .values({
        organization_id: "org_1",
        model_id: "acme/tiny",
        name: "tiny",
        revision: "private",
        pull_id: id,
        ...times,
      })
      .execute();
    expect(await listRevisions()).toEqual(["private", "public"]);
  });
});

describe("the files of a download", () => {
  const parts = [1, 2].map((part) => ({ path: `tiny-0000${part}-of-00002.gguf`, size: part, sha256: null }));

  test("a file that is not split is its only part", () => {
    expect(partsOf(buildPull({ sha256: SHA }))).toEqual([{ path: "tiny.gguf", size: 1_000, sha256: SHA }]);
    expect(toPartsColumn(parts.slice(0, 1))).toBeNull();
  });

  test("the parts of a split file are read in their order", async () => {
    const { id } = await insert({ parts: toPartsColumn(parts) });
    const row = await findPull(db, id);
    expect(row && partsOf(row)).toEqual(parts);
  });

  test("a damaged list of parts ends the download with a sentence", () => {
    expect(() => partsOf(buildPull({ parts: [{ path: 1 }] }))).toThrow(
      "The list of the parts of tiny.gguf is damaged.",
    );
  });
});
