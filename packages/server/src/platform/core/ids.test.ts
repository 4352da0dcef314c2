import { expect, test } from "vitest";
import { createRandomIds, randomIds } from "./ids.ts";

test("ids have 22 digits and do not repeat", () => {
  const ids = Array.from({ length: 1_000 }, () => randomIds.next("usr"));
  for (const id of ids) expect(id).toMatch(/^usr_[0-9A-Za-z]{22}$/);
  expect(new Set(ids).size).toBe(1_000);
});

test.each(["req", "txn"] as const)("ids of %s sort by the time at which they were made", (prefix) => {
  const times = [0, 1, 61, 62, 1_790_000_000_000, 1_790_000_000_001, 4_000_000_000_000];
  const ids = times.map((ms) => createRandomIds(() => ms).next(prefix));
  for (const id of ids) expect(id).toMatch(new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`));
  expect([...ids].sort()).toEqual(ids);
});

test("ids of requests made in the same millisecond differ", () => {
  const ids = createRandomIds(() => 1_790_000_000_000);
  expect(new Set(Array.from({ length: 1_000 }, () => ids.next("req"))).size).toBe(1_000);
});
