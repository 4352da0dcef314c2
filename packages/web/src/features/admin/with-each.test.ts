import { ApiError } from "@feather/sdk";
import { expect, test } from "vitest";
import { withEach } from "./with-each.ts";

const refused = new ApiError({ status: 409, message: "Nothing here can run it.", code: "x", requestId: null });

test("each has its result, in order, whatever became of the others", async () => {
  const results = await withEach(["a", "b", "c", "d", "e", "f"], async (id) => {
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

test("no more than four are under way at once", async () => {
  let now = 0;
  let most = 0;
  await withEach(
    Array.from({ length: 20 }, (_, index) => String(index)),
    async () => {
      most = Math.max(most, ++now);
      await new Promise((done) => setTimeout(done, 1));
      now--;
    },
  );
  expect(most).toBe(4);
});
