import { expect, test } from "vitest";
import { OPERATIONS } from "./generated/operations.ts";
import { mapOperations, pathParametersOf } from "./operations.ts";

test("mapOperations puts a value at the name of every operation", () => {
  const tree = mapOperations((operation, id) => ({ id, operation }));
  const found = Object.keys(OPERATIONS).map((id) =>
    id.split(".").reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], tree),
  );
  expect(found.length).toBeGreaterThan(200);
  expect(found).toEqual(Object.entries(OPERATIONS).map(([id, operation]) => ({ id, operation })));
});

test("pathParametersOf returns the parameters in order", () => {
  expect(pathParametersOf("/feather/models/{id}/reviews/{reviewId}")).toEqual(["id", "reviewId"]);
  expect(pathParametersOf("/feather/stats")).toEqual([]);
});
