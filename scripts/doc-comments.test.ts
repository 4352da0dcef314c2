import { expect, test } from "vitest";
import { findUndocumented } from "./doc-comments.ts";

test("finds exported functions, types and constants without a doc comment", () => {
  const code = [
    "export function a() {}",
    "// not a doc comment",
    "export type B = string;",
    "/** Documented. */",
    "export const c = 1;",
    "export const d = 2;",
    "function internal() {}",
  ].join("\n");
  expect(findUndocumented("packages/sdk/src/a.ts", code)).toEqual([
    "packages/sdk/src/a.ts:1 a",
    "packages/sdk/src/a.ts:3 B",
    "packages/sdk/src/a.ts:6 d",
  ]);
});

test("needs no comment on the type of what a factory returns", () => {
  expect(findUndocumented("a.ts", "export type Plans = ReturnType<typeof createPlans>;")).toEqual([]);
});
