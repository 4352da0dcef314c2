import { afterEach, describe, expect, test, vi } from "vitest";
import { readEnvironment } from "../config/environment.ts";
import { createMemoryStream } from "../testing/run-cli.ts";
import { canRedraw, type FormatLine } from "./live-display.ts";
import { createProgress, type Step } from "./progress.ts";

afterEach(() => vi.useRealTimers());

const START = new Date(2026, 10, 21, 14, 1, 2);
const GB = 1_000_000_000;
/** A terminal that can be resized, as real ones can. */
const createTerminal = () => ({ ...createMemoryStream(true, 100), on() {} });
const download = (done: number): Step => ({
  state: "downloading",
  detail: `${done} GB of 47 GB`,
  fraction: done / 47,
  amount: { done: done * GB, total: 47 * GB, unit: "bytes" },
});

/** Progress at a terminal whose drawing is ready at once, and a clock that the test moves. */
async function createLiveProgress() {
  vi.useFakeTimers({ now: START });
  const printed: string[] = [];
  let shown: FormatLine | undefined;
  const stderr = createTerminal();
  const env = readEnvironment({ LANG: "C.UTF-8" }, "linux");
  const now = () => new Date();
  const loadUi = async () => ({
    openLiveLines(_stream: unknown, _stdin: unknown, _now: unknown, format: FormatLine) {
      shown = format;
      return {
        print: (line: string) => void printed.push(line),
        show(next: FormatLine) {
          shown = next;
        },
        close() {
          shown = undefined;
        },
      };
    },
  });
  const io = { stdin: process.stdin, stdout: createMemoryStream(), stderr, env };
  const progress = createProgress({ io, name: "support-bot", now, measure: (text) => text.length, loadUi });
  return {
    progress,
    printed,
    stderr,
    live: () => shown?.(now()) ?? null,
    pass: (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds),
  };
}

describe("progress at a terminal", () => {
  test("progress at a terminal keeps the states of before as lines, and counts the time of the present one", async () => {
    const { progress, printed, stderr, live, pass } = await createLiveProgress();
    progress.update({ state: "accepted" });
    await pass(3_000);
    expect(live()).toBe("support-bot  accepted      14:01:02  for 3 s");
    progress.update({ state: "warming up", detail: "0 of 2 replicas" });
    await pass(64_000);
    expect(live()).toBe("             warming up    14:01:05  0 of 2 replicas  for 1 min 4 s");
    expect(printed).toEqual(["support-bot  accepted      14:01:02"]);
    progress.update({ state: "serving", detail: "2 of 2 replicas" });
    progress.end();
    progress.end();
    expect(live()).toBeNull();
    expect(printed.slice(1)).toEqual([
      "             warming up    14:01:05  0 of 2 replicas",
      "             serving       14:02:09  2 of 2 replicas",
    ]);
    expect(stderr.text()).toBe("");
  });

  test("progress at a terminal shows rate and time left of a download once there are two samples", async () => {
    const { progress, live, pass } = await createLiveProgress();
    progress.update(download(0));
    await pass(1_000);
    expect(live()).toBe(`support-bot  downloading   14:01:02  0 GB of 47 GB  ${"▱".repeat(20)}  0 %  for 1 s`);
    await pass(9_000);
    progress.update(download(11.75));
    await pass(0);
    expect(live()).toBe(
      `support-bot  downloading   14:01:02  11.75 GB of 47 GB  ${"▰".repeat(5)}${"▱".repeat(15)}  25 %  1.2 GB/s, about 30 s left  for 10 s`,
    );
  });

  test("progress at a terminal prints plain lines when it ends before anything was drawn", async () => {
    const { progress, stderr } = await createLiveProgress();
    progress.update({ state: "accepted" });
    progress.update({ state: "serving" });
    progress.end();
    expect(stderr.text()).toBe("support-bot  accepted      14:01:02\n             serving       14:01:02\n");
  });
});

test.each<[string, Record<string, string>, boolean]>([
  ["a terminal", {}, true],
  ["CI", { CI: "1" }, false],
  ["a dumb terminal", { TERM: "dumb" }, false],
  ["a coding agent", { AI_AGENT: "1" }, false],
])("lines are redrawn or not for %s", (_, variables, expected) => {
  const env = readEnvironment(variables, "linux");
  expect(canRedraw(createTerminal(), env)).toBe(expected);
  expect(canRedraw(createMemoryStream(), env)).toBe(false);
});

test("lines of a simulated terminal are not redrawn", () => {
  expect(canRedraw(createMemoryStream(true, 80), readEnvironment({}, "linux"))).toBe(false);
});
