import { expect, test, vi } from "vitest";
import { bind } from "./bind.ts";

type Deps = { prefix: string };
const join = ({ prefix }: Deps, name: string, count = 1) => `${prefix}${name}`.repeat(count);

test("bound functions take what is left of their parameters", () => {
  const { join: bound } = bind({ prefix: "a" }, { join });
  expect([bound("b"), bound("b", 2)]).toEqual(["ab", "abab"]);
});

test("bound functions can be replaced by a test", () => {
  const bound = bind({ prefix: "a" }, { join });
  vi.spyOn(bound, "join").mockReturnValue("replaced");
  expect(bound.join("b")).toBe("replaced");
});
