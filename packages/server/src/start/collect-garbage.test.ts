import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { collectGarbage } from "./collect-garbage.ts";

test("objects that nothing refers to are freed", async () => {
  const reference = new WeakRef({ text: "x" });
  await setImmediate(); // a reference keeps its object until the end of the turn
  collectGarbage();
  expect(reference.deref()).toBeUndefined();
});
