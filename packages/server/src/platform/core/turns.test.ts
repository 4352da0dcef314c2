import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTurns } from "./turns.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const OVERLOADED = { status: 503, code: "overloaded" };

/** Creates work that runs until `end` is called. */
function createWork() {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { begin: vi.fn(() => promise), end: resolve };
}

test("a limited number of calls run at a time, and the next begins when one has ended or failed", async () => {
  const takeTurn = createTurns({ running: 2, waiting: 10, maxWaitMs: 1_000 });
  const [first, second, third] = [createWork(), createWork(), createWork()];
  const results = [first, second, third].map(({ begin }) => takeTurn(begin));
  const failing = takeTurn(() => Promise.reject(new Error("It failed.")));
  const last = takeTurn(() => Promise.resolve("last"));
  await vi.waitFor(() => expect(second.begin).toHaveBeenCalled());
  expect(third.begin).not.toHaveBeenCalled();
  second.end("second");
  await vi.waitFor(() => expect(third.begin).toHaveBeenCalled());
  first.end("first");
  await expect(failing).rejects.toThrow("It failed.");
  await expect(last).resolves.toBe("last");
  third.end("third");
  await expect(Promise.all(results)).resolves.toEqual(["first", "second", "third"]);
});

test("a call is refused when too many wait already", async () => {
  const takeTurn = createTurns({ running: 1, waiting: 2, maxWaitMs: 1_000 });
  const running = createWork();
  const accepted = [takeTurn(running.begin), takeTurn(async () => "b"), takeTurn(async () => "c")];
  const refused = vi.fn(async () => "d");
  await expect(takeTurn(refused)).rejects.toMatchObject(OVERLOADED);
  running.end("a");
  await expect(Promise.all(accepted)).resolves.toEqual(["a", "b", "c"]);
  expect(refused).not.toHaveBeenCalled();
  await expect(takeTurn(async () => "e")).resolves.toBe("e");
});

test("a call whose turn does not come in time is refused and never begins, while running calls may take longer", async () => {
  const takeTurn = createTurns({ running: 1, waiting: 2, maxWaitMs: 1_000 });
  const [running, late] = [createWork(), createWork()];
  const result = takeTurn(running.begin);
  await vi.waitFor(() => expect(running.begin).toHaveBeenCalled());
  const refusal = expect(takeTurn(late.begin)).rejects.toMatchObject(OVERLOADED);
  vi.advanceTimersByTime(1_000);
  await refusal;
  vi.advanceTimersByTime(60_000);
  running.end("done");
  await expect(result).resolves.toBe("done");
  expect(late.begin).not.toHaveBeenCalled();
});
