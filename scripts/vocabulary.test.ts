import { expect, test } from "vitest";
import { findInFileName, findInText } from "./vocabulary.ts";

const namesIn = (path: string, text: string) => findInText(path, text).map(({ found, line }) => `${found} ${line}`);

test("refuses a name with a standard term wherever it stands in code", () => {
  const code = "export function forgetPlan(told: string) {\n  return { told };\n}\n";
  expect(namesIn("packages/server/src/plans.ts", code)).toEqual(["forgetPlan 1", "told 1", "told 2", "told 2"]);
});

test("refuses a word only where it is private: a fault is an error on the site, and what a fake has elsewhere", () => {
  const code = "const fault = 1;\nexport const isDefault = fault;\n";
  expect(namesIn("packages/web/src/a.ts", code)).toEqual(["fault 1", "fault 2"]);
  expect(namesIn("packages/server/src/a.ts", code)).toEqual([]);
});

test("refuses a word in comments and in titles of tests, not in texts for people", () => {
  const code = 'test("a deed is done", () => {});\n/** Answers whether it is. */\nexport const text = "deeds";\n';
  expect(namesIn("packages/sdk/src/a.test.ts", code)).toEqual(["Answers whether 2", "deed 1"]);
});

test("refuses a word in docs and in the contract", () => {
  expect(namesIn("docs/tour.md", "One.\n\nTwo deeds.\n")).toEqual(["deeds 3"]);
  expect(namesIn("openapi/paths/a.yaml", "description: Answers null where nothing is stored.\n")).toEqual([
    "Answers null 1",
  ]);
});

test("refuses a word as the name of a file, in kebab case too", () => {
  expect(findInFileName("packages/web/src/features/chat/later.tsx")).toHaveLength(1);
  expect(findInFileName("packages/server/src/payment-desk.test.ts")).toHaveLength(1);
  expect(findInFileName("packages/server/src/payments.test.ts")).toEqual([]);
});
