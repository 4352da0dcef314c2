import { expect, test } from "vitest";
import { conversation } from "#/testing/conversations.ts";
import { groupByDay, groupByPlace, type HistoryGroup, limitGroups } from "./history-groups.ts";

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

const NOW = new Date(2026, 10, 21, 9);
const today = NOW.getTime();
const summarize = (groups: readonly HistoryGroup[]) =>
  groups.map(({ kind, name, conversations }) => [kind, name, conversations.map(({ id }) => id).join(" ")]);

test("pinned conversations come first, then folders in alphabetical order, then days", () => {
  const groups = groupByPlace(
    [
      conversation({ id: "day", updatedAt: today }),
      conversation({ id: "ten", folder: "10 Work", updatedAt: today }),
      conversation({ id: "two", folder: "2 home", updatedAt: today - 2 }),
      conversation({ id: "two-newer", folder: "2 home", updatedAt: today - 1 }),
      conversation({ id: "pinned", folder: "2 home", pinned: true, updatedAt: 1 }),
    ],
    NOW,
  );
  expect(summarize(groups)).toEqual([
    ["pinned", "Pinned", "pinned"],
    ["folder", "2 home", "two-newer two"],
    ["folder", "10 Work", "ten"],
    ["day", "Today", "day"],
  ]);
});

test("of a long list each folder shows its part, and the other groups share theirs", () => {
  const many = (prefix: string, more: object) =>
    Array.from({ length: 3 }, (_, at) => conversation({ id: `${prefix}${at}`, updatedAt: today - at, ...more }));
  const groups = groupByPlace([...many("p", { pinned: true }), ...many("f", { folder: "A" }), ...many("d", {})], NOW);
  const { shown, left } = limitGroups(groups, 4);
  expect(summarize(shown)).toEqual([
    ["pinned", "Pinned", "p0 p1 p2"],
    ["folder", "A", "f0 f1 f2"],
    ["day", "Today", "d0"],
  ]);
  expect(left).toBe(2);
  expect(limitGroups(groups, 2).shown.map(({ kind }) => kind)).toEqual(["pinned", "folder"]);
});
