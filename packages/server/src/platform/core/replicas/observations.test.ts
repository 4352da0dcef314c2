import { expect, test } from "vitest";
import { createObservations, EXPIRY_MS } from "./observations.ts";

/** Takes a reading every two seconds until `untilMs`. Returns the ids that count as dead at the last reading. */
function watch(renewalsAt: (now: number) => number, untilMs: number, skip: (now: number) => boolean = () => false) {
  const observations = createObservations();
  let dead: string[] = [];
  for (let now = 0; now <= untilMs; now += 2_000) {
    if (skip(now)) continue;
    dead = observations.update([{ id: "rep_a", renewals: renewalsAt(now) }], now).map(({ id }) => id);
  }
  return dead;
}

test("a replica that increments its number of renewals counts as alive", () => {
  expect(watch((now) => now / 2_000, 60_000)).toEqual([]);
});

test("a replica counts as dead when its number of renewals has not changed for ten seconds, and not before", () => {
  expect(watch(() => 7, EXPIRY_MS - 2_000)).toEqual([]);
  expect(watch(() => 7, EXPIRY_MS)).toEqual(["rep_a"]);
});

test("a gap between readings does not count towards the ten seconds after which a replica is dead", () => {
  const isInGap = (now: number) => now > 4_000 && now < 40_000;
  expect(watch(() => 7, 40_000, isInGap)).toEqual([]);
  expect(watch(() => 7, 48_000, isInGap)).toEqual([]);
  expect(watch(() => 7, 50_000, isInGap)).toEqual(["rep_a"]);
});
