import type { Plan } from "@feather/sdk";
import { describe, expect, test } from "vitest";
import { premium } from "#/testing/billing.ts";
import { NEW_PLAN, type PlanValues, planSchema, toPlanBody, toPlanValues } from "./plan-fields.ts";

test("saving an unchanged plan keeps its values", () => {
  const { id: _, ...body } = premium;
  expect(toPlanBody(toPlanValues(premium as Plan))).toEqual(body);
});

describe("the plan form", () => {
  test.each<[Partial<PlanValues>, object]>([
    [{ price: "12.50" }, { price_usd_cents: 1250 }],
    [{ price: "" }, { price_usd_cents: null }],
    [{ price: "0" }, { price_usd_cents: 0 }],
    [{ prices: "" }, { prices: [] }],
    [
      { prices: "eur 23.50\n\nJPY 3,800" },
      {
        prices: [
          { currency: "EUR", price_cents: 2350 },
          { currency: "JPY", price_cents: 3800 },
        ],
      },
    ],
    [{ concurrency: "" }, { concurrency: null }],
    [{ concurrency: "8" }, { concurrency: 8 }],
    [{ max_model_size: "15,000,000,000" }, { max_model_size: 15_000_000_000 }],
    [{ features: " 4 units \n\n Any model" }, { features: ["4 units", "Any model"] }],
  ])("the plan form converts %j to %j", (change, expected) => {
    expect(toPlanBody({ ...NEW_PLAN, name: "Team", ...change })).toMatchObject(expected);
  });

  test.each<[Partial<PlanValues>, string]>([
    [{ name: "  " }, "Name is not valid."],
    [{ price: "ten" }, "Price is not valid: dollars such as 25 or 12.50, or nothing."],
    [{ prices: "EUR" }, "Prices are not valid: one a line, such as EUR 23."],
    [{ prices: "JPY 12.50" }, "Prices are not valid: one a line, such as EUR 23."],
    [{ concurrency: "0" }, "Units is not valid: a whole number from 1 to 1,000,000, or nothing."],
    [{ trial_days: "366" }, "Trial is not valid: a whole number from 0 to 365."],
    [{ min_quantity: "5", max_quantity: "2" }, "Largest quantity is smaller than the least."],
    [{ features: "a".repeat(201) }, "Lines are not valid: at most 30, of at most 200 characters."],
  ])("the plan form rejects %j", (change, message) => {
    const { error } = planSchema.safeParse({ ...NEW_PLAN, name: "Team", ...change });
    expect(error?.issues.map((issue) => issue.message)).toContain(message);
  });
});
