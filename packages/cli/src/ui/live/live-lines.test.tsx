import { cleanup, render } from "ink-testing-library";
import { createElement } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { LiveLines, type LiveLinesProps } from "./live-lines.tsx";
import { openLiveLines } from "./open-live-lines.ts";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test("the live line is redrawn each second below the lines that stay", async () => {
  vi.useFakeTimers({ now: 0 });
  const props = (lines: string[], number: number): LiveLinesProps => ({
    batch: { number, lines },
    format: (now) => `for ${now.getTime() / 1000} s`,
    now: () => new Date(),
  });
  const app = render(createElement(LiveLines, props([], 0)));
  app.rerender(createElement(LiveLines, props(["accepted", "weights"], 1)));
  expect(app.lastFrame()).toBe("accepted\nweights\nfor 0 s");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(app.lastFrame()).toContain("for 2 s");
});

test("a live display writes nothing on the terminal after it was closed, and gives the cursor back", async () => {
  const written: string[] = [];
  const stream = {
    isTTY: true,
    columns: 40,
    rows: 10,
    on() {},
    off() {},
    write: (text: string | Uint8Array) => written.push(String(text)),
  };
  const display = openLiveLines(
    stream,
    process.stdin,
    () => new Date(0),
    () => "Waiting for the server",
  );
  display.print("a line");
  display.show(() => "Waiting for the server, 1 s");
  display.close();
  const count = written.length;
  expect(written.join("")).toContain("a line");
  expect(written.at(-1)).toBe("\u001b[?25h");
  display.print("late");
  display.show(() => "late");
  display.close();
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toHaveLength(count);
});
