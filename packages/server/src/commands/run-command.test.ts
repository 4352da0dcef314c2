import { expect, test } from "vitest";
import { untilStopped } from "./run-command.ts";

test("a stopped command reads on no further, and says why", async () => {
  const controller = new AbortController();
  const read: number[] = [];
  async function* numbers() {
    yield* [1, 2, 3];
  }
  const reading = async () => {
    for await (const number of untilStopped(numbers(), controller.signal)) {
      read.push(number);
      if (number === 2) controller.abort(new Error("Stopped by SIGINT."));
    }
  };
  await expect(reading()).rejects.toThrow("Stopped by SIGINT.");
  expect(read).toEqual([1, 2]);
});
