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
    fc.property(value, fc.date({ noInvalidDate: true }), (rest, date) => {
      const sent = JSON.parse(JSON.stringify({ rest, nested: [{ created_at: date, end_date: null }] })) as {
        rest: unknown;
      };
      const before = structuredClone(sent.rest);
      expect(reviveDates(sent)).toEqual({ rest: before, nested: [{ created_at: date, end_date: null }] });
    }),
  );
});

test("reviveDates keeps text that is not a date", () => {
  expect(reviveDates({ created_at: "soon" })).toEqual({ created_at: "soon" });
});
