import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createMemoryStream } from "../../testing/run-cli.ts";
import type { FormatLine } from "../live-display.ts";
import { createStyle } from "../style.ts";
import { createWaitLine, formatWait, type WaitLineOptions } from "./wait-line.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Returns a line whose display only records what it shows. */
function createLine(form: WaitLineOptions["form"] = "redrawn") {
  let shown: FormatLine | undefined;
  const now = () => new Date();
  const loadUi = vi.fn(async () => ({
    openLiveLines(_stream: unknown, _stdin: unknown, _now: unknown, format: FormatLine) {
      shown = format;
      return {
        print() {},
        show(next: FormatLine) {
          shown = next;
        },
        close() {
          shown = undefined;
        },
      };
    },
  }));
  const stderr = createMemoryStream(true, 80);
  const style = createStyle(false, true);
  const line = createWaitLine({ stream: stderr, stdin: process.stdin, now, loadUi, form, style });
  return {
    line,
    loadUi,
    stderr,
    text: () => shown?.(now()) ?? null,
    pass: (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds),
  };
}

describe("the line of a wait", () => {
  test("the line of a wait appears after 300 milliseconds, counts the seconds, and goes with the answer", async () => {
    const { line, text, pass } = createLine();
    const wait = line.begin();
    await pass(299);
    expect(text()).toBeNull();
    await pass(1);
    expect(text()).toBe("Waiting for the server");
    await pass(2_700);
    expect(text()).toBe("Waiting for the server, 3 s");
    wait.end();
    expect(text()).toBeNull();
  });

  test("the line of a wait loads nothing for a short wait", async () => {
    const { line, loadUi, pass } = createLine();
    const wait = line.begin();
    await pass(250);
    wait.end();
    await pass(10_000);
    expect(loadUi).not.toHaveBeenCalled();
  });

  test("the line of a wait is not drawn when the answer comes while the drawing is loaded", async () => {
    const { line, text, loadUi, pass } = createLine();
    const loading = Promise.withResolvers<void>();
    const load = loadUi.getMockImplementation();
    loadUi.mockImplementation(async () => {
      await loading.promise;
      if (load === undefined) throw new Error("unreachable");
      return load();
    });
    const wait = line.begin();
    await pass(300);
    wait.end();
    loading.resolve();
    await pass(0);
    expect(text()).toBeNull();
  });

  test("the line of a wait goes on through requests that follow one another at once, as the pages of a list do", async () => {
    const { line, text, pass } = createLine();
    for (let page = 0; page < 10; page += 1) {
      const wait = line.begin();
      await pass(200);
      wait.end();
      await pass(5);
    }
    line.begin();
    await pass(0);
    expect(text()).toBe("Waiting for the server, 2 s");
  });

  test("the line of a wait begins anew for a request that follows later", async () => {
    const { line, text, pass } = createLine();
    const wait = line.begin();
    await pass(5_000);
    wait.end();
    await pass(5_000);
    line.begin();
    await pass(299);
    expect(text()).toBeNull();
    await pass(1);
    expect(text()).toBe("Waiting for the server");
  });

  test("the line of a wait stays between a request without an answer and its repetition", async () => {
    const { line, text, pass } = createLine();
    line.begin().fail();
    await pass(4_000);
    expect(text()).toBe("Waiting for the server, 4 s");
    const wait = line.begin();
    await pass(1_000);
    expect(text()).toBe("Waiting for the server, 5 s");
    wait.end();
    expect(text()).toBeNull();
  });

  test("the line of a wait says what a command names rather than the server, and changes", async () => {
    const { line, text, pass } = createLine();
    const answer = line.begin("Waiting for the first token");
    const request = line.begin();
    await pass(2_000);
    expect(text()).toBe("Waiting for the first token, 2 s");
    request.end();
    answer.change("Thinking");
    await pass(4_000);
    answer.change("Thinking");
    expect(text()).toBe("Thinking, 4 s");
    answer.end();
    expect(text()).toBeNull();
  });

  test("the line of a wait is removed before something is written, and comes back for a wait that goes on", async () => {
    const { line, text, pass } = createLine();
    line.begin();
    await pass(1_000);
    line.hide();
    expect(text()).toBeNull();
    await pass(300);
    expect(text()).toBe("Waiting for the server");
    line.close();
    expect(text()).toBeNull();
  });

  test("the line of a wait is not shown while something else is drawn", async () => {
    const { line, text, pass } = createLine();
    const resume = line.suspend();
    line.begin();
    await pass(1_000);
    expect(text()).toBeNull();
    resume();
    await pass(0);
    expect(text()).toBe("Waiting for the server, 1 s");
  });

  test("the line of a wait is written after 15 seconds where it cannot be redrawn, and again every minute until the answer comes", async () => {
    const { line, loadUi, stderr, pass } = createLine("written");
    const wait = line.begin("Waiting for the first token");
    await pass(14_999);
    expect(stderr.text()).toBe("");
    await pass(1);
    expect(stderr.text()).toBe("Waiting for the first token, 15 s\n");
    await pass(60_000);
    expect(stderr.text()).toBe("Waiting for the first token, 15 s\nWaiting for the first token, 1 min 15 s\n");
    wait.end();
    await pass(120_000);
    expect(stderr.text().split("\n")).toHaveLength(3);
    expect(loadUi).not.toHaveBeenCalled();
  });

  test("the line of a wait is never shown where it is not wanted", async () => {
    const { line, loadUi, stderr, pass } = createLine("none");
    line.begin("Thinking");
    await pass(60_000);
    expect([loadUi.mock.calls, stderr.text()]).toEqual([[], ""]);
  });
});

test("a wait is counted in whole seconds, and its text cannot move the cursor", () => {
  expect(formatWait("Thinking", 999)).toBe("Thinking");
  expect(formatWait("Thinking", 64_900)).toBe("Thinking, 1 min 4 s");
  expect(formatWait("a\u001b[2Jb", 0)).toBe("a\\x1b[2Jb");
});
