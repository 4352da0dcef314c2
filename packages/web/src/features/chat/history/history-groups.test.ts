import { expect, test } from "vitest";
import { conversation } from "#/testing/conversations.ts";
import { groupByDay } from "./history-groups.ts";

test("groups conversations by the day of their latest message, newest first", () => {
  const now = new Date(2026, 10, 21, 9);
  const at = (...date: [number, number, number, number]) => new Date(...date).getTime();
  const days = [at(2026, 10, 20, 23), at(2026, 10, 21, 8), at(2026, 10, 16, 8), at(2026, 9, 2, 8), at(2025, 9, 2, 8)];
  const groups = groupByDay(
    days.map((updatedAt, index) => conversation({ id: `${index}`, updatedAt })),
    now,
  );
  expect(groups.map(({ name, conversations }) => [name, conversations[0]?.id])).toEqual([
    ["Today", "1"],
    ["Yesterday", "0"],
    ["Last week", "2"],
    ["October 2026", "3"],
    ["October 2025", "4"],
  ]);
});
