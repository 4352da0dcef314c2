import { expect, test } from "vitest";
import { waitForRestart } from "./wait-for-restart.ts";

const BEFORE = new Date("2026-11-30T08:00:00Z");
const noWait = async () => {};

test("a server that answers with another start has started again, whatever failed before", async () => {
  const answers = [new Date(BEFORE), null, null, new Date("2026-11-30T09:00:00Z")];
  const read = async () => {
    const answer = answers.shift();
    if (!answer) throw new TypeError("Failed to fetch");
    return answer;
  };
  expect(await waitForRestart(BEFORE, read, noWait)).toBe(true);
  expect(answers).toEqual([]);
});

test("a server that never answers with another start has not come back", async () => {
  expect(await waitForRestart(BEFORE, async () => new Date(BEFORE), noWait)).toBe(false);
});
