import { fc } from "@feather/testing/properties";
import { expect, test } from "vitest";
import { reviveDates } from "./dates.ts";

test("reviveDates revives dates at any depth and changes nothing else", () => {
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("node")),
      fc.dictionary(fc.constantFrom("name", "at", "update", "data"), tie("node")),
    ),
  })).node;
  fc.assert(
    fc.property(
      value,
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-12-31T23:59:59Z") }),
      (rest, date) => {
        const sent = JSON.parse(JSON.stringify({ rest, nested: [{ created_at: date, end_date: null }] })) as {
          rest: unknown;
        };
        const before = structuredClone(sent.rest);
        expect(reviveDates(sent)).toEqual({ rest: before, nested: [{ created_at: date, end_date: null }] });
      },
    ),
  );
});

test("reviveDates keeps text that is not a date", () => {
  expect(reviveDates({ created_at: "soon" })).toEqual({ created_at: "soon" });
});

test.each([
  ["a text that is no date of ISO 8601", { looked_at: "5" }],
  ["a day that no calendar has", { looked_at: "2026-13-45", ends_at: "2026-11-19T25:00:00Z" }],
  ["seconds since 1970", { created_at: 1_763_560_862 }],
  ["what others wrote", { details: { created_at: "2026-11-19T14:01:02Z" } }],
])("reviveDates keeps %s", (_, value) => {
  expect(reviveDates(structuredClone(value))).toEqual(value);
});

test("reviveDates revives days and milliseconds since 1970", () => {
  expect(reviveDates({ released_date: "2026-11-19", started_at: 1_763_560_862_000 })).toEqual({
    released_date: new Date("2026-11-19"),
    started_at: new Date(1_763_560_862_000),
  });
});
