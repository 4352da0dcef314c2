import { describe, expect, test } from "vitest";
import { joinRanks } from "./join-ranks.ts";
import { compare, fromBytes, toBytes, toVectors } from "./vectors.ts";

describe("joining orders of passages", () => {
  test("what both orders have comes before what only one has at the same place", () => {
    const joined = joinRanks([
      ["a", "b"],
      ["c", "b"],
    ]);
    expect(joined.map(({ key, ranks }) => [key, ranks])).toEqual([
      ["b", [2, 2]],
      ["a", [1, null]],
      ["c", [null, 1]],
    ]);
    expect(joined[0]?.score).toBeCloseTo(2 / 62);
  });

  test("one order stays as it is, and none gives nothing", () => {
    expect(joinRanks([["a", "b"], []]).map(({ key }) => key)).toEqual(["a", "b"]);
    expect(joinRanks([])).toEqual([]);
  });
});

describe("vectors", () => {
  test("are compared by their direction, whatever their lengths", () => {
    const query = toVectors([[2, 0]]);
    const similarities = compare(
      query,
      toVectors([
        [7, 0],
        [0, 1],
        [-1, 0],
        [1, 1],
      ]),
    );
    expect(similarities.map((value) => Number(value.toFixed(2)))).toEqual([1, 0, -1, 0.71]);
  });

  test("are the same after they were stored as bytes", () => {
    const vectors = toVectors([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    // Bytes from the database may begin anywhere in memory.
    const stored = Buffer.concat([Buffer.from([0]), toBytes(vectors)]).subarray(1);
    expect(fromBytes(stored, 3)).toEqual(vectors);
  });

  test("one without a direction is like no other", () => {
    expect(compare(toVectors([[1, 0]]), toVectors([[0, 0]]))).toEqual([0]);
  });

  test.each([
    ["of different lengths", [[1, 2], [1]]],
    ["without numbers", [[]]],
    ["with what is no number", [[1, Number.NaN]]],
  ])("%s are refused", (_what, rows) => {
    expect(() => toVectors(rows)).toThrow("The model answered with vectors that cannot be compared.");
  });
});
