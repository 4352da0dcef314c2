import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type AnalyticsClient, type ConsentSignal, createAnalytics } from "./analytics.ts";

const PROJECT = { key: "phc_x", host: "https://stats.example", startsBeforeConsent: false };
const NAMES = ["capture", "identify", "register", "alias", "reset", "group", "allow", "deny"] as const;

function setUp({ fails, blocked = false }: { fails?: keyof AnalyticsClient; blocked?: boolean } = {}) {
  const calls: unknown[][] = [];
  const client = Object.fromEntries(
    NAMES.map((name) => [
      name,
      (...args: unknown[]) => {
        if (name === fails) throw new Error("blocked");
        calls.push([name, ...args]);
      },
    ]),
  ) as AnalyticsClient;
  const load = vi.fn(async () => {
    if (blocked) throw new TypeError("Failed to fetch dynamically imported module");
    return client;
  });
  const warn = vi.fn();
  return { analytics: createAnalytics({ load, warn }), calls, load, warn };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("running the client", () => {
  test.each<[boolean, ConsentSignal | null, boolean]>([
    [false, null, false],
    [false, "denied", false],
    [false, "granted", true],
    [true, null, true],
    [true, "denied", false],
    [true, "granted", true],
  ])("starting before consent %s with the signal %s runs it: %s", async (startsBeforeConsent, signal, runs) => {
    const { analytics, load } = setUp();
    if (signal) await analytics.consent(signal);
    await analytics.start({ ...PROJECT, startsBeforeConsent });
    expect(analytics.isReady()).toBe(runs);
    expect(load).toHaveBeenCalledTimes(runs ? 1 : 0);
  });

  test("running the client never loads it without a project", async () => {
    const { analytics, load } = setUp();
    await analytics.consent("granted");
    expect(load).not.toHaveBeenCalled();
  });

  test("running the client stops when consent is withdrawn and resumes when it is given again, loaded once", async () => {
    const { analytics, calls, load } = setUp();
    const listener = vi.fn();
    analytics.subscribe(listener);
    await analytics.start(PROJECT);
    await analytics.consent("granted");
    analytics.capture("a");
    await analytics.consent("denied");
    analytics.capture("b");
    await analytics.consent("granted");
    analytics.capture("c");
    expect(calls).toEqual([["allow"], ["capture", "a", undefined], ["deny"], ["allow"], ["capture", "c", undefined]]);
    expect(load).toHaveBeenCalledTimes(1);
    expect(listener).toHaveBeenCalledTimes(3);
  });

  test("running the client stays off when consent is withdrawn while it loads", async () => {
    const { analytics, calls } = setUp();
    const started = analytics.start({ ...PROJECT, startsBeforeConsent: true });
    await analytics.consent("denied");
    await started;
    expect(analytics.isReady()).toBe(false);
    expect(calls).toEqual([]);
  });
});

const CALLS: [string, (analytics: ReturnType<typeof setUp>["analytics"]) => void, unknown[]][] = [
  ["capture", (a) => a.capture("x", { y: 1 }), ["capture", "x", { y: 1 }]],
  ["identify", (a) => a.identify("usr_1", { email: "a@b.c" }), ["identify", "usr_1", { email: "a@b.c" }]],
  ["register", (a) => a.register({ utm_source: "x" }), ["register", { utm_source: "x" }]],
  ["alias", (a) => a.alias("n", "o"), ["alias", "n", "o"]],
  ["reset", (a) => a.reset(), ["reset"]],
  ["group", (a) => a.group("org", "1", { z: 1 }), ["group", "org", "1", { z: 1 }]],
];

test.each(CALLS)("%s does nothing without a client and passes its arguments on with one", async (_, call, passed) => {
  const { analytics, calls } = setUp();
  call(analytics);
  expect(calls).toEqual([]);
  await analytics.start({ ...PROJECT, startsBeforeConsent: true });
  call(analytics);
  expect(calls).toEqual([["allow"], passed]);
});

test.each(CALLS)("a failing %s logs a warning", async (name, call) => {
  const { analytics, warn } = setUp({ fails: name as keyof AnalyticsClient });
  await analytics.start({ ...PROJECT, startsBeforeConsent: true });
  expect(() => call(analytics)).not.toThrow();
  expect(warn).toHaveBeenCalledWith(`Analytics could not ${name}.`, expect.any(Error));
});

test("a blocked library logs a warning and all calls do nothing", async () => {
  const { analytics, warn } = setUp({ blocked: true });
  await analytics.start({ ...PROJECT, startsBeforeConsent: true });
  expect(() => analytics.capture("x")).not.toThrow();
  expect(warn).toHaveBeenCalledTimes(1);
});

describe("a conversion", () => {
  test.each([
    [undefined, { value: 1, currency: "USD" }],
    [
      { value: 25, kind: "plan" },
      { value: 25, currency: "USD", kind: "plan" },
    ],
    [{ currency: "EUR" }, { value: 1, currency: "EUR" }],
  ])("a conversion with %j is sent as %j", async (given, sent) => {
    const { analytics, calls } = setUp();
    await analytics.start({ ...PROJECT, startsBeforeConsent: true });
    analytics.conversion(given);
    expect(calls.at(-1)).toEqual(["capture", "conversion", sent]);
    vi.advanceTimersByTime(1000);
    expect(calls.filter(([name]) => name === "capture")).toHaveLength(1);
  });

  test("a conversion is retried once after 300 ms", async () => {
    const { analytics, calls } = setUp();
    analytics.conversion();
    vi.advanceTimersByTime(299);
    await analytics.start({ ...PROJECT, startsBeforeConsent: true });
    expect(calls).toEqual([["allow"]]);
    vi.advanceTimersByTime(1);
    expect(calls.at(-1)).toEqual(["capture", "conversion", { value: 1, currency: "USD" }]);
    vi.advanceTimersByTime(5000);
    expect(calls).toHaveLength(2);
  });

  test("a conversion is dropped if there is still no client", async () => {
    const { analytics, calls } = setUp();
    analytics.conversion();
    vi.advanceTimersByTime(300);
    await analytics.start({ ...PROJECT, startsBeforeConsent: true });
    vi.advanceTimersByTime(5000);
    expect(calls).toEqual([["allow"]]);
  });
});
