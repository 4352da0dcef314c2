import { ConnectionError } from "@feather/sdk";
import { describe, expect, test, vi } from "vitest";
import { readEnvironment } from "./config/environment.ts";
import { InterruptedError, WaitTimeoutError, WorkFailedError } from "./errors.ts";
import { createProgress } from "./output/progress.ts";
import { createMemoryStream, NOW } from "./testing/run-cli.ts";
import { type WorkStatus, waitFor } from "./wait.ts";

const loadUi = () => Promise.reject(new Error("Nothing is drawn in a pipe."));

/** Returns work with these statuses, one for each poll. The clock advances while the program sleeps. */
function createWork(statuses: readonly (WorkStatus | Error)[]) {
  let time = NOW.getTime();
  const stderr = createMemoryStream();
  const io = {
    stdin: process.stdin,
    stdout: createMemoryStream(),
    stderr,
    env: readEnvironment({ LANG: "C.UTF-8" }, "linux"),
  };
  const now = () => new Date(time);
  const sleep = vi.fn(async (milliseconds: number) => {
    time += milliseconds;
  });
  const output = {
    progress: (name: string) => createProgress({ io, name, now, measure: (text) => text.length, loadUi }),
    info: (text: string) => void stderr.write(`${text}\n`),
  };
  const context = { now, sleep, signal: new AbortController().signal, output };
  let polls = 0;
  const poll = async (): Promise<WorkStatus> => {
    const status = statuses[Math.min(polls++, statuses.length - 1)];
    if (status === undefined || status instanceof Error) throw status;
    return status;
  };
  const work = {
    name: "support-bot",
    timeout: 60_000,
    resume: "feather deployments show support-bot",
    poll,
    status: (at: WorkStatus) => at,
  };
  return { run: () => waitFor(context, work), stderr, sleep };
}

const ready: WorkStatus = { state: "serving", outcome: "succeeded" };

describe("waiting for work", () => {
  test("waiting for work ends with the work, and prints each new state once in a pipe", async () => {
    const { run, stderr } = createWork([
      { state: "accepted" },
      { state: "weights", fraction: 0.2 },
      { state: "weights", fraction: 0.9 },
      ready,
    ]);
    expect(await run()).toEqual(ready);
    const lines = stderr
      .text()
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/\d\d:\d\d:\d\d/, "time"));
    expect(lines).toEqual([
      "support-bot  accepted      time",
      "support-bot  weights       time  20 %",
      "support-bot  serving       time",
    ]);
  });

  test("waiting for work throws when the work fails", async () => {
    await expect(createWork([{ state: "failed", detail: "no room", outcome: "failed" }]).run()).rejects.toThrow(
      new WorkFailedError("support-bot ended as failed: no room", "feather deployments show support-bot"),
    );
  });

  test("waiting for work throws after the timeout, and says that the work continues", async () => {
    const { run, sleep } = createWork([{ state: "weights" }]);
    const error = await run().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(error).toMatchObject({
      message: "support-bot is weights after 1 min; the work goes on",
      hint: "feather deployments show support-bot",
    });
    expect(Math.max(...sleep.mock.calls.map(([pause]) => pause))).toBe(5000);
  });

  test("waiting for work continues after connection and server errors, but no others", async () => {
    expect(await createWork([new ConnectionError("away"), ready]).run()).toEqual(ready);
    await expect(createWork([new Error("a bug")]).run()).rejects.toThrow("a bug");
  });

  test("waiting for work prints how to resume after Ctrl-C", async () => {
    const { run, stderr, sleep } = createWork([{ state: "weights" }]);
    sleep.mockRejectedValue(new InterruptedError("left"));
    await expect(run()).rejects.toThrow(InterruptedError);
    expect(stderr.text()).toContain("The work goes on. Look again: feather deployments show support-bot");
  });
});

describe("waiting for work of which the server sends updates", () => {
  /** Returns work whose updates the test sends. Only updates wake the program, since its sleep never ends. */
  function createFollowedWork(polls: readonly WorkStatus[]) {
    const queue: (WorkStatus | undefined)[] = [];
    let arrived = Promise.withResolvers<void>();
    const interrupt = new AbortController();
    const shown: string[] = [];
    let polled = 0;
    async function* updates(signal: AbortSignal) {
      for (;;) {
        await arrived.promise;
        arrived = Promise.withResolvers();
        yield* queue.splice(0);
        if (signal.aborted) return;
      }
    }
    const sleep = (_milliseconds: number, signal: AbortSignal) =>
      new Promise<void>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new InterruptedError("interrupted")));
      });
    const progress = () => ({ update: ({ state }: WorkStatus) => void shown.push(state), end() {} });
    const output = { progress, info() {} };
    const done = waitFor(
      { now: () => NOW, sleep, signal: interrupt.signal, output },
      {
        name: "a model",
        timeout: 60_000,
        resume: "feather models pull a",
        updates,
        poll: async () => polls[Math.min(polled++, polls.length - 1)] ?? ready,
        status: (at: WorkStatus) => at,
      },
    );
    return {
      done,
      shown,
      countPolls: () => polled,
      interrupt: () => interrupt.abort(),
      async send(update: WorkStatus | undefined) {
        queue.push(update);
        arrived.resolve();
        if (update) await vi.waitFor(() => expect(shown).toContain(update.state));
      },
    };
  }

  test("waiting for work of which the server sends updates shows them as they come without polling, and polls once more at the end", async () => {
    const { send, done, shown, countPolls } = createFollowedWork([{ state: "queued" }, ready]);
    await send(undefined);
    await send({ state: "downloading" });
    await send({ state: "converting" });
    expect(countPolls()).toBe(1);
    await send({ state: "done", outcome: "succeeded" });
    expect(await done).toEqual(ready);
    expect([shown, countPolls()]).toEqual([["queued", "downloading", "converting", "done", "serving"], 2]);
  });

  test("waiting for work of which the server sends updates is interrupted while it waits for one", async () => {
    const { send, done, interrupt } = createFollowedWork([{ state: "queued" }]);
    await send({ state: "downloading" });
    interrupt();
    await expect(done).rejects.toThrow(InterruptedError);
  });
});
