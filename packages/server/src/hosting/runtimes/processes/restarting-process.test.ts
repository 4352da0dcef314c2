import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { waitFor } from "@feather/testing/wait-for";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { MINUTE_MS } from "../../../platform/core/time.ts";
import { keepRunning, type ProcessExit } from "./restarting-process.ts";

const STOP_TIMEOUT_MS = 5_000;

/** A fake process, which ends when the test says so. */
class FakeProcess extends EventEmitter {
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  inputIsClosed = false;
  readonly killedBy: string[] = [];
  readonly stdin = {
    end: () => {
      this.inputIsClosed = true;
    },
  };

  kill(signal: NodeJS.Signals): void {
    this.killedBy.push(signal);
    this.end(null, signal);
  }

  end(code: number | null, signal: NodeJS.Signals | null = null): void {
    this.exitCode = code;
    this.signalCode = signal;
    this.emit("exit", code, signal);
    this.emit("close", code, signal);
  }
}

type Started = { child: FakeProcess; markReady(): void };

/** Keeps fake processes running. A start throws `control.failure` if there is one. */
function keepFakesRunning() {
  const started: Started[] = [];
  const exits: ProcessExit[] = [];
  const control = { failure: null as Error | null, lastWords: "" };
  const loop = keepRunning({
    run(markReady) {
      if (control.failure) throw control.failure;
      const child = new FakeProcess();
      started.push({ child, markReady });
      return { child: child as unknown as ChildProcess, lastWords: () => control.lastWords };
    },
    exited: (exit) => void exits.push(exit),
    stopTimeoutMs: STOP_TIMEOUT_MS,
  });
  const latest = () => {
    const one = started.at(-1);
    if (!one) throw new Error("No process was started.");
    return one;
  };
  return { loop, started, exits, control, latest };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => void vi.useRealTimers());

describe("a process that ends", () => {
  test("a process is started again after half a second, and each time after twice as long, up to a minute", () => {
    const { started, exits, latest } = keepFakesRunning();
    for (let time = 0; time < 10; time++) {
      latest().child.end(1);
      const { restartsInMs } = exits.at(-1) ?? { restartsInMs: 0 };
      vi.advanceTimersByTime(restartsInMs - 1);
      expect(started.length).toBe(time + 1);
      vi.advanceTimersByTime(1);
      expect(started.length).toBe(time + 2);
    }
    expect(exits.map(({ restartsInMs }) => restartsInMs)).toEqual([
      ...[500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000],
      ...[60_000, 60_000, 60_000],
    ]);
  });

  test("a process that was ready for more than a minute is started again as quickly as at first", () => {
    const { exits, latest } = keepFakesRunning();
    for (let time = 0; time < 3; time++) {
      latest().child.end(1);
      vi.advanceTimersByTime(MINUTE_MS);
    }
    latest().markReady();
    vi.advanceTimersByTime(MINUTE_MS + 1);
    latest().child.end(1);
    expect(exits.at(-1)).toMatchObject({ restartsInMs: 500 });
  });

  test("a process that ran for long without being ready is not stable", () => {
    const { exits, latest } = keepFakesRunning();
    latest().child.end(1);
    vi.advanceTimersByTime(MINUTE_MS);
    vi.advanceTimersByTime(10 * MINUTE_MS);
    latest().child.end(1);
    expect(exits.at(-1)).toMatchObject({ restartsInMs: 1_000 });
  });

  test.each([
    ["its last words", "CUDA out of memory", 1, null, "CUDA out of memory"],
    ["its status without any", "", 3, null, "It ended by status 3."],
    ["the signal that ended it", "", null, "SIGSEGV", "It ended by SIGSEGV."],
  ] as const)("the reason why a process ended is %s", (_what, lastWords, code, signal, reason) => {
    const { control, exits, latest } = keepFakesRunning();
    control.lastWords = lastWords;
    latest().child.end(code, signal);
    expect(exits).toEqual([{ reason, restartsInMs: 500, code, signal }]);
  });
});

describe("a process that cannot be started", () => {
  test("what the first start throws is thrown to the caller, and nothing is started later", () => {
    const exited = vi.fn();
    const run = vi.fn(() => {
      throw new Error("ENOSPC: no space left on device");
    });
    expect(() => keepRunning({ run, exited, stopTimeoutMs: STOP_TIMEOUT_MS })).toThrow("ENOSPC");
    vi.advanceTimersByTime(10 * MINUTE_MS);
    expect([run, exited].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  });

  test("a restart that fails counts as an end of the process, and is followed by another one", () => {
    const { control, exits, started, latest } = keepFakesRunning();
    latest().child.end(1);
    control.failure = new Error("ENOSPC: no space left on device");
    vi.advanceTimersByTime(500);
    vi.advanceTimersByTime(1_000);
    expect(exits.slice(1)).toMatchObject([
      { reason: "ENOSPC: no space left on device", restartsInMs: 1_000, code: null },
      { reason: "ENOSPC: no space left on device", restartsInMs: 2_000, code: null },
    ]);
    control.failure = null;
    vi.advanceTimersByTime(2_000);
    expect(started.length).toBe(2);
  });

  test("stopping after a restart that failed ends at once, and nothing is started any more", async () => {
    const { control, loop, started, latest } = keepFakesRunning();
    latest().child.end(1);
    control.failure = new Error("ENOSPC: no space left on device");
    vi.advanceTimersByTime(500);
    await loop.stop();
    control.failure = null;
    vi.advanceTimersByTime(10 * MINUTE_MS);
    expect(started.length).toBe(1);
  });

  test("a command that does not exist is named as the reason, and does not end the server", async () => {
    vi.useRealTimers();
    const exits: ProcessExit[] = [];
    const loop = keepRunning({
      run: () => ({ child: spawn("/nonexistent/program"), lastWords: () => "" }),
      exited: (exit) => void exits.push(exit),
      stopTimeoutMs: STOP_TIMEOUT_MS,
    });
    onTestFinished(() => loop.stop());
    await waitFor(() => expect(exits[0]).toMatchObject({ reason: "spawn /nonexistent/program ENOENT" }));
  });
});

describe("a process that is stopped", () => {
  test("a process is stopped by closing its standard input, and is not started again", async () => {
    const { loop, exits, started, latest } = keepFakesRunning();
    const stopped = loop.stop();
    expect(latest().child.inputIsClosed).toBe(true);
    latest().child.end(0);
    await stopped;
    vi.advanceTimersByTime(10 * MINUTE_MS);
    expect([latest().child.killedBy, exits, started.length]).toEqual([[], [], 1]);
  });

  test("a process that does not end in time is killed", async () => {
    const { loop, latest } = keepFakesRunning();
    const stopped = loop.stop();
    vi.advanceTimersByTime(STOP_TIMEOUT_MS - 1);
    expect(latest().child.killedBy).toEqual([]);
    vi.advanceTimersByTime(1);
    await stopped;
    expect(latest().child.killedBy).toEqual(["SIGKILL"]);
  });

  test("a process that has ended and waits for its restart is stopped at once", async () => {
    const { loop, started, latest } = keepFakesRunning();
    latest().child.end(1);
    await loop.stop();
    vi.advanceTimersByTime(10 * MINUTE_MS);
    expect(started.length).toBe(1);
  });

  test("stopping twice waits for the same end", async () => {
    const { loop, latest } = keepFakesRunning();
    const stops = Promise.all([loop.stop(), loop.stop()]);
    latest().child.end(0);
    await stops;
  });
});
