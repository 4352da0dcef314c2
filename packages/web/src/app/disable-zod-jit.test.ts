import { expect, test } from "vitest";
import { disableZodJit } from "./disable-zod-jit.ts";

test("zod does not compile code from text", async () => {
  disableZodJit();
  const { config } = await import("zod");
  expect(config()).toMatchObject({ jitless: true });
});
