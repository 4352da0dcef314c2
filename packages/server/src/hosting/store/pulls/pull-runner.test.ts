import { createTestClock } from "@feather/testing/clock";
import { waitFor } from "@feather/testing/wait-for";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { errors } from "../../../platform/core/errors/index.ts";
import { SECOND_MS } from "../../../platform/core/time.ts";
import type { PullKind, PullRow } from "../rows/pull-rows.ts";
import { PullFailedError } from "../store.errors.ts";
import { buildPull, STORED_AT } from "../testing/rows.ts";
import { createPullRunner, type PullProgress, type PullWork } from "./pull-runner.ts";

const afterStart = (seconds: number) => new Date(STORED_AT.getTime() + seconds * SECOND_MS);
const unexpectedWork: PullWork = () => expect.unreachable("A download of another kind was started.");

/** A download that was started, which the test ends. */
type Started = {
  row: PullRow;
  progress: PullProgress;
  signal: AbortSignal;
  end(isDone: boolean): void;
  fail(error: unknown): void;
};

/** Creates a runner of these queued downloads, in whose works nothing happens until the test ends them. */
function createRunner(queue: PullRow[], kind: PullKind = "gguf") {
  const started: Started[] = [];
  const changes: object[] = [];
  const released: [id: string, bytes: number][] = [];
  const errorsLogged: string[] = [];
  const database = { isOwned: true, failure: null as Error | null, claims: 0, claiming: Promise.resolve() };
  const clock = createTestClock(STORED_AT.toISOString());
  const work: PullWork = (row, progress, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    signal.addEventListener("abort", () => reject(new Error("The connection was closed.")));
    if (signal.aborted) reject(new Error("The connection was closed."));
    started.push({ row, progress, signal, end: resolve, fail: reject });
    return promise;
  };
  const works = {
    gguf: unexpectedWork,
    safetensors: unexpectedWork,
    ollama: unexpectedWork,
    conversion: unexpectedWork,
  };
  const runner = createPullRunner({
    storeRepository: {
      async claim(claimed) {
        database.claims += 1;
        await database.claiming;
        if (database.failure) throw database.failure;
        return claimed === kind ? queue.shift() : undefined;
      },
      async updateRunningPull(id, change) {
        if (database.failure) throw database.failure;
        changes.push({ id, ...change });
        return database.isOwned;
      },
      async release(id, bytes) {
        released.push([id, bytes]);
      },
    },
    works: { ...works, [kind]: work },
    clock,
    log: { error: (...line: unknown[]) => void errorsLogged.push(String(line[1])) },
  });
  const startedOne = (index = 0) => {
    const one = started[index];
    if (!one) throw new Error(`Only ${started.length} downloads were started.`);
    return one;
  };
  return { runner, started, startedOne, changes, released, errorsLogged, database, clock };
}

/** Lets the only download of a runner fail, and returns what was stored about it. */
async function failWith(error: unknown, fields: Partial<PullRow> = {}, bytes = 0) {
  const one = createRunner([buildPull(fields)]);
  await one.runner.poll();
  one.startedOne().progress.bytes = bytes;
  one.startedOne().fail(error);
  await one.runner.waitUntilIdle();
  return one;
}

describe("the queue of downloads", () => {
  test("a process does two downloads of a kind at the same time, and the next one when one of them has ended", async () => {
    const { runner, started, startedOne } = createRunner(["1", "2", "3"].map((id) => buildPull({ id })));
    await runner.poll();
    expect(started.map(({ row }) => row.id)).toEqual(["1", "2"]);
    await runner.poll();
    expect(started.length).toBe(2);
    startedOne(1).end(true);
    await waitFor(() => expect(started.map(({ row }) => row.id)).toEqual(["1", "2", "3"]));
  });

  test.each(["gguf", "safetensors", "ollama", "conversion"] as const)(
    "a download of the kind %s is done by the work of that kind",
    async (kind) => {
      const { runner, startedOne } = createRunner([buildPull()], kind);
      await runner.poll();
      expect(startedOne().row.id).toBe("pull_1");
    },
  );

  test("a download that is claimed again while this process works on it is not started twice", async () => {
    const { runner, started } = createRunner([buildPull(), buildPull()]);
    await runner.poll();
    expect(started.length).toBe(1);
  });

  test("a database that cannot be reached is logged, and the next search starts the download", async () => {
    const { runner, started, database, errorsLogged } = createRunner([buildPull()]);
    database.failure = new Error("Connection terminated");
    await runner.poll();
    expect([started.length, errorsLogged]).toEqual([0, ["downloads are not looked for"]]);
    database.failure = null;
    await runner.poll();
    expect(started.length).toBe(1);
  });

  test("searches at the same time start a download once", async () => {
    const { runner, started } = createRunner([buildPull()]);
    await Promise.all([runner.poll(), runner.poll(), runner.job.run()]);
    expect(started.length).toBe(1);
  });
});

describe("a download that fails", () => {
  const unavailable = errors.hub.unavailable("The model hub broke off.");

  test("a fault of the hub queues the download again after two seconds", async () => {
    const { changes } = await failWith(unavailable);
    expect(changes).toMatchObject([
      { id: "pull_1", state: "queued", attempts: 1, error: unavailable.message, lease_until: afterStart(2) },
    ]);
  });

  test.each([
    [1, 4],
    [2, 8],
    [6, 128],
    [7, 256],
    [8, 300],
  ])("after %i attempts in a row without a byte the next one follows after %i seconds", async (attempts, seconds) => {
    const { changes } = await failWith(unavailable, { attempts });
    expect(changes).toMatchObject([{ attempts: attempts + 1, lease_until: afterStart(seconds) }]);
  });

  test("the tenth attempt in a row without a byte is the last one", async () => {
    const { changes, errorsLogged } = await failWith(unavailable, { attempts: 9 });
    expect(changes).toMatchObject([{ state: "failed", error: unavailable.message, lease_until: null }]);
    expect(errorsLogged).toEqual([]);
  });

  test("an attempt that has downloaded bytes counts as the first one again", async () => {
    const { changes } = await failWith(unavailable, { attempts: 9, bytes_done: 10 }, 11);
    expect(changes).toMatchObject([{ state: "queued", attempts: 1, bytes_done: 11, lease_until: afterStart(2) }]);
  });

  test("a hub that limits requests decides when the next attempt follows", async () => {
    const limited = errors.hub.rateLimited({ seconds: 1_234 }, { retryAfterSeconds: 1_234 });
    const { changes } = await failWith(limited, { attempts: 3 });
    expect(changes).toMatchObject([{ state: "queued", attempts: 4, lease_until: afterStart(1_234) }]);
  });

  test("a refusal of the hub ends the download at once, and its token is deleted", async () => {
    const gated = errors.hub.gated({ model: "acme/tiny" });
    const { changes, errorsLogged } = await failWith(gated, { sealed_token: Buffer.from("sealed") });
    expect(changes).toMatchObject([{ state: "failed", error: gated.message, sealed_token: null }]);
    expect(errorsLogged).toEqual([]);
  });

  test("a file that no attempt can complete ends the download with its sentence", async () => {
    const { changes } = await failWith(new PullFailedError("The list of the parts is damaged."));
    expect(changes).toMatchObject([{ state: "failed", error: "The list of the parts is damaged." }]);
  });

  test("a full disk is named instead of the system's error, which has paths of this machine", async () => {
    const full = Object.assign(new Error("ENOSPC: no space left, write '/data/models'"), { code: "ENOSPC" });
    const { changes, errorsLogged } = await failWith(full);
    expect(changes).toMatchObject([{ state: "failed", error: "The disk is full." }]);
    expect(errorsLogged).toEqual(["a download failed"]);
  });

  test("a failure that cannot be stored is logged, and the process takes further downloads", async () => {
    const one = createRunner([buildPull(), buildPull({ id: "pull_2" }), buildPull({ id: "pull_3" })]);
    await one.runner.poll();
    one.database.failure = new Error("Connection terminated");
    one.startedOne().fail(unavailable);
    await waitFor(() => expect(one.errorsLogged).toContain("a download could not be noted"));
    one.database.failure = null;
    await one.runner.poll();
    expect(one.started.map(({ row }) => row.id)).toEqual(["pull_1", "pull_2", "pull_3"]);
  });

  test("the progress of a failed conversion is removed, that of its download kept", async () => {
    const one = createRunner([buildPull()], "conversion");
    await one.runner.poll();
    Object.assign(one.startedOne().progress, { bytes: 7, total: 9, converted: 0.5 });
    one.startedOne().fail(new PullFailedError("It ended."));
    await one.runner.waitUntilIdle();
    expect(one.changes).toMatchObject([{ bytes_done: 7, bytes_total: 9, conversion_progress: null }]);
  });
});

describe("a download that is canceled or paused", () => {
  test("a canceled download is aborted, and its lease ends with the bytes that are here", async () => {
    const { runner, startedOne, changes, released } = createRunner([buildPull()]);
    await runner.poll();
    startedOne().progress.bytes = 42;
    runner.abort("pull_1");
    await runner.waitUntilIdle();
    expect(startedOne().signal.aborted).toBe(true);
    expect([changes, released]).toEqual([[], [["pull_1", 42]]]);
  });

  test("aborting a download that this process does not run changes nothing", async () => {
    const { runner, startedOne } = createRunner([buildPull()]);
    await runner.poll();
    runner.abort("pull_2");
    expect(startedOne().signal.aborted).toBe(false);
  });

  test("a download whose work finds that it was canceled ends its lease", async () => {
    const { runner, startedOne, released } = createRunner([buildPull({ bytes_done: 5 })]);
    await runner.poll();
    startedOne().end(false);
    await runner.waitUntilIdle();
    expect(released).toEqual([["pull_1", 5]]);
  });

  test("a failure that is not stored because the download was canceled meanwhile ends its lease", async () => {
    const { runner, startedOne, released, database } = createRunner([buildPull()]);
    await runner.poll();
    database.isOwned = false;
    startedOne().fail(new PullFailedError("It ended."));
    await runner.waitUntilIdle();
    expect(released).toEqual([["pull_1", 0]]);
  });
});

describe("the lease of a download", () => {
  const useTimers = () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
  };

  test("the lease and the progress of a running download are stored every second", async () => {
    useTimers();
    const { runner, startedOne, changes, clock } = createRunner([buildPull()]);
    await runner.poll();
    startedOne().progress.bytes = 100;
    clock.at += SECOND_MS;
    vi.advanceTimersByTime(SECOND_MS);
    expect(changes).toEqual([
      { id: "pull_1", bytes_done: 100, lease_until: afterStart(31), updated_at: afterStart(1) },
    ]);
    startedOne().end(true);
    await runner.waitUntilIdle();
    vi.advanceTimersByTime(10 * SECOND_MS);
    expect(changes.length).toBe(1);
  });

  test("a download that another process canceled is aborted with the next heartbeat", async () => {
    useTimers();
    const { runner, startedOne, database, released } = createRunner([buildPull()]);
    await runner.poll();
    database.isOwned = false;
    vi.advanceTimersByTime(SECOND_MS);
    await runner.waitUntilIdle();
    expect([startedOne().signal.aborted, released]).toEqual([true, [["pull_1", 0]]]);
  });

  test("a download goes on while its heartbeats cannot be stored", async () => {
    useTimers();
    const { runner, startedOne, database, changes } = createRunner([buildPull()]);
    await runner.poll();
    database.failure = new Error("Connection terminated");
    await vi.advanceTimersByTimeAsync(5 * SECOND_MS);
    expect(startedOne().signal.aborted).toBe(false);
    database.failure = null;
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(changes.length).toBe(1);
  });
});

describe("a server that stops", () => {
  test("stopping aborts all downloads and queues them again without a delay or another attempt", async () => {
    const { runner, started, changes } = createRunner([buildPull(), buildPull({ id: "pull_2", attempts: 4 })]);
    await runner.poll();
    await runner.stop();
    expect(started.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    expect(changes).toMatchObject([
      { id: "pull_1", state: "queued", lease_until: null },
      { id: "pull_2", state: "queued", lease_until: null },
    ]);
    expect(changes.some((change) => "attempts" in change)).toBe(false);
  });

  test("a stopped runner starts no further downloads", async () => {
    const { runner, started } = createRunner([buildPull()]);
    await runner.stop();
    await runner.poll();
    expect(started).toEqual([]);
  });

  test("a download that is being claimed while the server stops is queued again before the stop ends", async () => {
    const { runner, changes, database } = createRunner([buildPull()]);
    const { promise, resolve } = Promise.withResolvers<void>();
    database.claiming = promise;
    void runner.poll();
    await waitFor(() => expect(database.claims).toBe(1));
    const stopped = runner.stop();
    resolve();
    await stopped;
    expect(changes).toMatchObject([{ id: "pull_1", state: "queued", lease_until: null }]);
  });
});
