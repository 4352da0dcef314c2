import { describe, expect, test } from "vitest";
import { addSample, estimateRemaining, formatRate, measureRate, type Sample } from "./rate.ts";

const MB = 1_000_000;
const at = (seconds: number, megabytes: number): Sample => ({ at: seconds * 1000, done: megabytes * MB });
const collect = (...samples: Sample[]) => samples.reduce<readonly Sample[]>(addSample, []);
const time = (seconds: number) => new Date(seconds * 1000);

describe("the rate of a download", () => {
  test("the rate of a download is unknown before there are two samples that are apart", () => {
    expect(measureRate([])).toBeNull();
    expect(measureRate(collect(at(0, 10)))).toBeNull();
    expect(measureRate(collect(at(0, 10), at(0.2, 20)))).toBeNull();
    expect(formatRate(collect(at(0, 10)), { done: 10 * MB, total: 100 * MB, unit: "bytes" }, time(5))).toBe("");
  });

  test("the rate of a download is that of the last thirty seconds", () => {
    const samples = collect(at(0, 0), at(10, 1000), at(40, 1300), at(45, 1350));
    expect(measureRate(samples)).toBe(10 * MB);
  });

  test("the rate of a download begins anew when less is done than before", () => {
    expect(collect(at(0, 50), at(5, 100), at(10, 0))).toEqual([at(10, 0)]);
  });

  test("the rate of a download is zero, with no time left, when nothing comes for the whole window", () => {
    const samples = collect(at(0, 100), at(31, 200), at(40, 200), at(61, 200));
    expect(formatRate(samples, { done: 200 * MB, total: 1000 * MB, unit: "bytes" }, time(61))).toBe("0 B/s");
  });
});

describe("the time left of a download", () => {
  const samples = collect(at(0, 0), at(10, 840));

  test("the time left of a download follows from the rate, and shrinks between samples", () => {
    expect(estimateRemaining(samples, 4200 * MB, time(10))).toBe(40_000);
    expect(estimateRemaining(samples, 4200 * MB, time(14))).toBe(36_000);
    expect(estimateRemaining(samples, 4200 * MB, time(99))).toBe(0);
  });

  test("the time left of a download is unknown without a total, and at the end", () => {
    expect(estimateRemaining(samples, null, time(10))).toBeNull();
    expect(estimateRemaining(samples, 840 * MB, time(10))).toBeNull();
  });

  test.each([
    ["bytes", { done: 840 * MB, total: 4200 * MB, unit: "bytes" }, "84.0 MB/s, about 40 s left"],
    ["an unknown size", { done: 840 * MB, total: null, unit: "bytes" }, "84.0 MB/s"],
  ] as const)("the time left of a download is shown beside the rate for %s", (_, amount, text) => {
    expect(formatRate(samples, amount, time(10))).toBe(text);
  });

  test("the time left of a download is all that is shown where only a share is known", () => {
    const shares = [
      { at: 0, done: 0.1 },
      { at: 10_000, done: 0.2 },
    ].reduce<readonly Sample[]>(addSample, []);
    expect(formatRate(shares, { done: 0.2, total: 1, unit: "fraction" }, time(10))).toBe("about 80 s left");
  });
});
