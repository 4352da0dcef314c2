import { describe, expect, test } from "vitest";
import { isModelId } from "./model-ids.ts";

describe("isModelId", () => {
  test.each(["Qwen/Qwen3-32B", "a/b", "01-ai/Yi-1.5-9B", "owner/name_x.y"])("isModelId accepts %s", (id) => {
    expect(isModelId(id)).toBe(true);
  });

  test.each([
    "",
    "a",
    "a/",
    "/b",
    "a/b/c",
    "../b",
    "a/..",
    "a/b..c",
    "a/b.",
    "a./b",
    "-a/b",
    "a/ b",
    "a\\b",
    "a/b\n",
    "a/b\0",
    `a/${"b".repeat(200)}`,
  ])("isModelId rejects %j", (id) => {
    expect(isModelId(id)).toBe(false);
  });
});
