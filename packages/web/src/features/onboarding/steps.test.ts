import { describe, expect, test } from "vitest";
import { createProgress, getCurrentStep, getNextStep, listSteps, type Progress } from "./steps.ts";

const at = (change: Partial<Progress>): Progress => ({ use: null, step: "use", done: false, ...change });

test("users who only chat skip the steps for key and program", () => {
  expect(listSteps("chat")).toEqual(["use", "chat"]);
  expect(listSteps("program")).toEqual(["use", "key", "call", "chat"]);
  expect(getNextStep("use", "chat")).toBe("chat");
  expect(getNextStep("use", "assistant")).toBe("key");
  expect(getNextStep("chat", "program")).toBeNull();
});

test.each([
  ["", at({}), "use", null],
  ["step=call", at({}), "use", null],
  ["use=program&step=call", at({}), "call", "program"],
  ["use=chat&step=key", at({}), "use", "chat"],
  ["", at({ use: "program", step: "call" }), "call", "program"],
  ["step=use", at({ use: "program", step: "call" }), "use", "program"],
  ["step=%3Cb%3E&use=x", at({ use: "assistant", step: "key" }), "key", "assistant"],
  ["use=chat", at({ use: "program", step: "call" }), "use", "chat"],
])("the address %j with progress %j shows the step %s", (query, progress, step, use) => {
  expect(getCurrentStep(new URLSearchParams(query), progress)).toEqual({ step, use });
});

describe("the stored progress", () => {
  const store = (text: string | null) => ({ get: () => text, set: () => true, remove: () => {} });

  test("the stored progress is read back", () => {
    const stored = at({ use: "program", step: "call" });
    expect(createProgress("u", store(JSON.stringify(stored))).read()).toEqual(stored);
  });

  test.each([null, "", "7", "{}", '{"use":"evil","step":"call","done":false}'])(
    "the stored progress starts from the beginning for %j",
    (text) => {
      expect(createProgress("u", store(text)).read()).toEqual(at({}));
    },
  );
});
