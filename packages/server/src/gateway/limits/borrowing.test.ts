import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import {
  computeReservedUnits,
  computeShare,
  computeUnitsToBorrow,
  computeUnitsToReturn,
  sumCosts,
} from "./borrowing.ts";

const borrow = { limit: 10, held: 0, others: 0, needed: 1, share: 5, reserved: 0 };
const shortage = { needed: 2, given: 0, turn: 5 };

describe("the units that a replica borrows", () => {
  test.each([
    ["its share, although it needs less", {}, 5],
    ["what it needs beyond its share", { needed: 8 }, 8],
    ["what is free, although it needs more", { needed: 8, others: 7 }, 3],
    ["nothing beyond a share that it has", { held: 5, needed: 0 }, 0],
    ["one for one request beyond its share", { held: 5, needed: 1 }, 1],
    ["nothing that is left to a longer waiting request", { needed: 4, others: 6, reserved: 3 }, 1],
    ["nothing while more is borrowed than a lowered limit", { held: 4, others: 9, needed: 1 }, 0],
    ["nothing that it does not need where there are more replicas than units", { needed: 0, share: 0 }, 0],
  ])("the units that a replica borrows are %s", (_title, input, units) => {
    expect(computeUnitsToBorrow({ ...borrow, ...input })).toBe(units);
  });

  test("the units that a replica borrows are never more than is free", () => {
    const units = fc.nat(20);
    const input = fc.record({
      limit: units,
      held: units,
      others: units,
      needed: units,
      share: units,
      reserved: units,
    });
    fc.assert(
      fc.property(input, (request) => {
        const taken = computeUnitsToBorrow(request);
        expect(taken).toBeGreaterThanOrEqual(0);
        if (taken > 0)
          expect(request.held + request.others + request.reserved + taken).toBeLessThanOrEqual(request.limit);
      }),
    );
  });

  test("the units that a replica borrows are shared equally, rounded down", () => {
    expect([computeShare(10, 3), computeShare(2, 3), computeShare(4, 1)]).toEqual([3, 0, 4]);
  });
});

describe("the units that a replica gives back for a shortage", () => {
  test.each([
    ["what is lacking", 2, shortage, [], 2],
    ["half of what is not used, so that the other need not ask for each", 10, shortage, [], 5],
    ["no more than is not used", 1, shortage, [], 1],
    ["nothing that its own longer waiting request needs", 3, shortage, [{ cost: 3, turn: 4 }], 0],
    ["what remains beside its own longer waiting request", 4, shortage, [{ cost: 3, turn: 4 }], 1],
    ["what its own later request needs", 3, shortage, [{ cost: 3, turn: 6 }], 2],
    ["what its own request without a turn needs", 2, shortage, [{ cost: 2, turn: null }], 2],
    ["nothing when it has given enough", 4, { ...shortage, given: 2 }, [], 0],
  ])("the units that a replica gives back for a shortage are %s", (_title, unused, target, waiting, units) => {
    expect(computeUnitsToReturn(unused, target, waiting)).toBe(units);
  });

  test("the units that a replica gives back for a shortage are left to requests with an earlier turn, and to all by one without a turn", () => {
    const shortages = [shortage, { ...shortage, turn: 9, needed: 4 }];
    expect([3, 5, 7, null].map((turn) => computeReservedUnits(shortages, turn))).toEqual([0, 0, 2, 6]);
  });

  test("the units that a replica gives back for a shortage count requests without a turn as the last", () => {
    const waiting = [
      { cost: 1, turn: 3 },
      { cost: 2, turn: null },
    ];
    expect([sumCosts(waiting), sumCosts(waiting, (turn) => turn <= 3)]).toEqual([3, 1]);
  });
});
