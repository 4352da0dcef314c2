import { expect, test } from "vitest";
import { forEachAtOnce } from "./for-each-at-once.ts";

test("each item is taken once and in order, at most as many at a time as are allowed", async () => {
  const began: number[] = [];
  let [running, most] = [0, 0];
  await forEachAtOnce([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    began.push(item);
    most = Math.max(most, ++running);
    await Promise.resolve();
    running -= 1;
  });
  expect([began, most, running]).toEqual([[1, 2, 3, 4, 5, 6, 7], 3, 0]);
  await forEachAtOnce([], 3, () => Promise.reject(new Error("there is none")));
});

test("no further item is begun after the stop, and an error is passed on", async () => {
  const stopping = new AbortController();
  const began: number[] = [];
  await forEachAtOnce(
    [1, 2, 3, 4],
    2,
    async (item) => {
      began.push(item);
      await Promise.resolve();
      stopping.abort();
    },
    stopping.signal,
  );
  expect(began).toEqual([1, 2]);
  await expect(forEachAtOnce([1], 2, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});
