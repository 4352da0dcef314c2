import { ApiError } from "@feather/sdk";
import { expect, test } from "vitest";
import { runForEach } from "./run-for-each.ts";

const refused = new ApiError({ status: 409, message: "Nothing here can run it.", code: "x", requestId: null });

test("returns a result for each id in order, whether it succeeded or failed", async () => {
  const results = await runForEach(["a", "b", "c", "d", "e", "f"], async (id) => {
    await new Promise((done) => setTimeout(done, id === "a" ? 20 : 0));
    if (id === "b") throw refused;
  });
  expect(results.map(({ id, ok }) => [id, ok])).toEqual([
    ["a", true],
    ["b", false],
    ["c", true],
    ["d", true],
    ["e", true],
    ["f", true],
  ]);
  expect(results[1]?.error).toBe("Nothing here can run it.");
});

test("runs at most four actions at the same time", async () => {
  let now = 0;
  let most = 0;
  await runForEach(
    Array.from({ length: 20 }, (_, index) => String(index)),
    async () => {
      most = Math.max(most, ++now);
      await new Promise((done) => setTimeout(done, 1));
      now--;
    },
  );
  expect(most).toBe(4);
});
