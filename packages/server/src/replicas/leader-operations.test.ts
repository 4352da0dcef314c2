import { expect, test } from "vitest";
import { loadContract } from "../http/contract.ts";
import { LEADER_OPERATIONS } from "./leader-operations.ts";

test("each operation that only the leader can answer is one of the contract", () => {
  const { operations } = loadContract();
  expect(Object.keys(LEADER_OPERATIONS).filter((id) => !operations.has(id))).toEqual([]);
});
