import fc from "fast-check";
import { expect, it } from "vitest";
import { unitsOverTime } from "./concurrencies.ts";

const at = (ms: number) => new Date(ms);
const MINUTE = 60_000;

it("knows the most at any moment and the average over the time", () => {
  const held = [
    { start: at(0), end: at(30_000), units: 2 },
    { start: at(15_000), end: at(45_000), units: 1 },
  ];
  expect(unitsOverTime(held, { start: at(0), end: at(2 * MINUTE) }, MINUTE)).toEqual([
    { at: at(0), usedMax: 3, usedAvg: 1.5 },
    { at: at(MINUTE), usedMax: 0, usedAvg: 0 },
  ]);
});

it("does not add up requests of which one begins when the other ends", () => {
  const held = [
    { start: at(0), end: at(10), units: 4 },
    { start: at(10), end: at(20), units: 4 },
  ];
  expect(unitsOverTime(held, { start: at(0), end: at(MINUTE) }, MINUTE)[0]?.usedMax).toBe(4);
});

it("counts a request in every slice it lasts through, also those that began before", () => {
  const slices = unitsOverTime(
    [{ start: at(-MINUTE), end: at(2 * MINUTE), units: 1 }],
    { start: at(0), end: at(3 * MINUTE) },
    MINUTE,
  );
  expect(slices.map(({ usedMax, usedAvg }) => [usedMax, usedAvg])).toEqual([
    [1, 1],
    [1, 1],
    [0, 0],
  ]);
});

it("agrees with looking at every millisecond", () => {
  const request = fc.record({
    start: fc.integer({ min: -20, max: 60 }),
    length: fc.integer({ min: 0, max: 40 }),
    units: fc.integer({ min: 1, max: 4 }),
  });
  fc.assert(
    fc.property(fc.array(request, { maxLength: 12 }), (requests) => {
      const held = requests.map(({ start, length, units }) => ({ start: at(start), end: at(start + length), units }));
      const slices = unitsOverTime(held, { start: at(0), end: at(50) }, 10);
      slices.forEach((slice, index) => {
        const moments = Array.from({ length: 10 }, (_, ms) => index * 10 + ms);
        const used = moments.map((ms) =>
          held
            .filter(({ start, end }) => start.getTime() <= ms && ms < end.getTime())
            .reduce((sum, { units }) => sum + units, 0),
        );
        expect(slice.usedMax).toBe(Math.max(...used));
        expect(slice.usedAvg).toBeCloseTo(used.reduce((sum, value) => sum + value, 0) / 10);
      });
    }),
    { seed: 7 },
  );
});
