import type { Model, Plan } from "@feather/sdk";
import { describe, expect, test } from "vitest";
import { atOnce, listPlansFor } from "#/entities/plans/plans-for.ts";
import { selectAssistantModels } from "./assistant-models.ts";
import { estimateBulkSeconds, formatDuration } from "./bulk-estimate.ts";
import { createSponsorshipLetter } from "./sponsorship-letter.ts";
import { sponsorshipSchema } from "./sponsorship-schema.ts";

describe("plans that include a model", () => {
  const plan = (id: string, price: number | null, concurrency: number | null, largest: number | null) =>
    ({ id, price_usd_cents: price, concurrency, max_model_size: largest }) as Plan;
  const PLANS = [
    plan("talk", null, null, null),
    plan("max", 20000, 8, null),
    plan("lite", 0, 1, 8.5e9),
    plan("premium", 2500, 4, null),
    plan("tiny", 100, 2, null),
  ];
  test.each([
    [
      "a small one",
      { parameter_size: 7e9, concurrency_cost: 1 },
      [
        ["lite", 1],
        ["tiny", 2],
        ["premium", 4],
        ["max", 8],
        ["talk", null],
      ],
    ],
    [
      "the largest",
      { parameter_size: 1e12, concurrency_cost: 4 },
      [
        ["premium", 1],
        ["max", 2],
        ["talk", null],
      ],
    ],
    [
      "one of unknown size",
      { parameter_size: null, concurrency_cost: 2 },
      [
        ["tiny", 1],
        ["premium", 2],
        ["max", 4],
        ["talk", null],
      ],
    ],
  ])("plans that include a model are listed cheapest first for %s", (_, model, expected) => {
    expect(listPlansFor(PLANS, model).map(({ plan: { id }, atOnce }) => [id, atOnce])).toEqual(expected);
  });
});

test.each([
  [{ requests: 100, seconds: 10, units: 4, cost: 1 }, 250],
  [{ requests: 101, seconds: 10, units: 4, cost: 1 }, 260],
  [{ requests: 10, seconds: 2, units: 4, cost: 4 }, 20],
  [{ requests: 10, seconds: 2, units: 2, cost: 4 }, null],
  [{ requests: 0, seconds: 2, units: 2, cost: 1 }, null],
  [{ requests: 10, seconds: Number.NaN, units: 2, cost: 1 }, null],
])("estimates %j as %s seconds", (job, seconds) => {
  expect(estimateBulkSeconds(job)).toBe(seconds);
});

test.each([
  [1, "1 second"],
  [45, "45 seconds"],
  [120, "2 minutes"],
  [750, "13 minutes"],
  [5400, "1.5 hours"],
  [80_000, "22 hours"],
  [181_440, "2.1 days"],
])("formats %s seconds as %s", (seconds, expectedText) => {
  expect(formatDuration(seconds)).toBe(expectedText);
});

test("assistants are offered models with tool support, warm ones first, without duplicates", () => {
  const model = (id: string, tool_use: boolean, tier: string) =>
    ({ id, features: { tool_use }, availability: { tier } }) as Model;
  const warm = [model("feather/demo", false, "warm"), model("a/b", true, "warm")];
  const coding = [model("c/d", true, "offline"), model("a/b", true, "warm")];
  expect(selectAssistantModels(warm, coding).map(({ id }) => id)).toEqual(["a/b", "c/d"]);
  expect(selectAssistantModels([], [])).toEqual([]);
});

describe("a request for a sponsorship", () => {
  const good = {
    project: "Roost",
    repository: "https://code.example/roost",
    license: "MIT",
    purpose: "Translate what people write to us.",
  };
  test("a request for a sponsorship contains the form's values and the account", () => {
    expect(createSponsorshipLetter(good, "maria@example.com")).toContain(
      "Account here: maria@example.com\n\nTranslate what",
    );
    expect(createSponsorshipLetter(good, null)).toContain("Account here: none yet");
  });
  test.each([
    ["project", " ", "Project is not valid."],
    ["repository", "http://code.example/roost", /Repository is not valid/],
    ["repository", "javascript:alert(1)", /Repository is not valid/],
    ["license", "", "Licence is not valid."],
    ["purpose", "short", /What for is not valid/],
    ["purpose", "x".repeat(601), /What for is not valid/],
  ])("a request for a sponsorship rejects %s with the value %j", (field, value, expectedText) => {
    const result = sponsorshipSchema.safeParse({ ...good, [field]: value });
    expect(result.error?.issues.map(({ message }) => message)).toEqual([
      typeof expectedText === "string" ? expectedText : expect.stringMatching(expectedText),
    ]);
  });
  test("a request for a sponsorship accepts a complete form", () =>
    expect(sponsorshipSchema.safeParse(good).success).toBe(true));
});

test.each([
  ["all of one unit", 4, null, 1, 0, "4"],
  ["larger ones halve it", 4, null, 2, 16e9, "2"],
  ["too few units", 2, null, 4, 35e9, "–"],
  ["too small a plan", 8, 15e9, 2, 16e9, "–"],
  ["some of the class fit", 8, 229e9, 4, 35e9, "2"],
  ["no limit", null, null, 4, 35e9, "no limit"],
])("formats the number of parallel requests: %s", (_, concurrency, max_model_size, units, above, expectedText) => {
  expect(atOnce({ concurrency, max_model_size } as Plan, units, above)).toBe(expectedText);
});
