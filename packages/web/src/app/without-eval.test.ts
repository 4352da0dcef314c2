import { expect, test } from "vitest";
import { withoutEval } from "./without-eval.ts";

test("zod does not compile code from text", async () => {
  withoutEval();
  const { config } = await import("zod");
  expect(config()).toMatchObject({ jitless: true });
});
