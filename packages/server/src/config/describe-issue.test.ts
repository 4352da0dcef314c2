import { expect, test } from "vitest";
import { listSettings, readStartSettings } from "./settings.ts";

/** Returns the problem of a value, without the name of the setting. */
function problemOf(name: string, value: string): string {
  try {
    readStartSettings({ [name]: value }, "/nonexistent");
    return "";
  } catch (error) {
    return (error as Error).message.split("\n").slice(1).join("\n").replaceAll(`  ${name}`, "").replace(/^: /, "");
  }
}

test.each([
  ["FEATHER_CHAT_MEGABYTES", "1.5", "must be a whole number"],
  ["FEATHER_CHAT_MEGABYTES", "many", "must be a number"],
  ["FEATHER_CHAT_MEGABYTES", "0", "must be at least 1"],
  ["FEATHER_CHAT_MEGABYTES", "1e30", "must be at most 1000000"],
  ["FEATHER_STORE_MAX", "0", "must be more than 0"],
  ["FEATHER_REGISTRATION", "everybody", "must be one of open, invite, approve, off"],
  ["FEATHER_CONTACT_EMAIL", "somewhere", "must be an e-mail address"],
  ["FEATHER_COMMUNITY_URL", "chat.example.com", "must be an address with its protocol, such as https://example.com"],
  ["FEATHER_PRODUCT_NAME", "x".repeat(61), "must have at most 60 characters"],
  ["FEATHER_SIGN_IN_PROVIDERS", "[", "must be a list in JSON"],
  ["FEATHER_MARKETPLACE_PLANS", "[]", "must be an object"],
])("%s=%s is refused in words", (name, value, problem) => {
  expect(problemOf(name, value)).toBe(problem);
});

test("what is missing in JSON is named with its place", () => {
  expect(problemOf("FEATHER_SELLER", '{"name":"Acme","country":"DE"}')).toContain(".address: is missing");
});

test("no setting that admins may save is refused in zod's words, or with the value", () => {
  const wrong = ["\u0007wrong-value", "-1e300", "[{}]", '{"a":1}'];
  const problems = listSettings()
    .filter(({ editable }) => editable === true)
    .flatMap(({ env }) => wrong.map((value) => `${env}: ${problemOf(env, value)}`));
  expect(
    problems.filter((problem) => /Invalid|Too (big|small)|expected|received|wrong-value|NaN/.test(problem)),
  ).toEqual([]);
});
