import { expect, test } from "vitest";
import { countPulls, listBackendFigures } from "./collect.ts";

const state = (name: string, fields: object = {}) => ({ name, isOwn: false, isUp: true, runningCalls: 1, ...fields });

test("counts the engines of this machine as one backend, whose names may be those of private models", () => {
  const listBackends = () => [
    state("gpu-1"),
    state("engine:org_1:owner/secret", { isOwn: true, runningCalls: 2 }),
    state("engine:owner/name", { isOwn: true, isUp: false }),
  ];
  expect(listBackendFigures({ listBackends })).toEqual([
    { name: "gpu-1", isUp: true, runningCalls: 1 },
    { name: "engines of this machine", isUp: false, runningCalls: 3 },
  ]);
});

test("counts backends beyond a hundred together", () => {
  const listBackends = () => Array.from({ length: 150 }, (_, index) => state(`gpu-${index}`));
  const figures = listBackendFigures({ listBackends });
  expect(figures).toHaveLength(101);
  expect(figures.at(-1)).toEqual({ name: "other", isUp: true, runningCalls: 50 });
});

test("counts downloads by state, and says that none is downloading", () => {
  const openPulls = { list: () => [{ state: "paused" }, { state: "paused" }] };
  expect([...countPulls({ openPulls })]).toEqual([
    ["downloading", 0],
    ["paused", 2],
  ]);
});
