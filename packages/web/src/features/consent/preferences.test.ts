import { describe, expect, test, vi } from "vitest";
import {
  acceptAll,
  type CookieCategory,
  type CookiePreferences,
  DEFAULT_PREFERENCES,
  isAllowed,
  readPreferences,
  rejectAll,
  savePreferences,
  toConsentSignal,
} from "./preferences.ts";

const ALL = { essential: true, analytics: true, functionality: true, marketing: true, accepted: true, timestamp: 7 };

describe("the stored preferences", () => {
  test.each<[string, string | null, CookiePreferences]>([
    ["none", null, DEFAULT_PREFERENCES],
    ["a full one", JSON.stringify(ALL), ALL],
    ["one of a part", '{"analytics":true}', { ...DEFAULT_PREFERENCES, analytics: true }],
    [
      "one with essential cookies off",
      '{"essential":false,"accepted":true}',
      { ...DEFAULT_PREFERENCES, accepted: true },
    ],
    ["one with words for flags", '{"analytics":"yes","accepted":1}', DEFAULT_PREFERENCES],
    [
      "one with foreign fields",
      '{"accepted":true,"__proto__":{"analytics":true},"x":1}',
      { ...DEFAULT_PREFERENCES, accepted: true },
    ],
    ["one with a time that is none", '{"accepted":true,"timestamp":"now"}', { ...DEFAULT_PREFERENCES, accepted: true }],
  ])("%s is parsed and merged with the defaults", (_, saved, expected) => {
    const log = vi.fn();
    expect(readPreferences(saved, log)).toEqual(expected);
    expect(log).not.toHaveBeenCalled();
  });

  test.each(["", "{", "null", "[]", "true", '"granted"', "<script>"])(
    "%j is invalid, so it is logged and replaced by the defaults",
    (saved) => {
      const log = vi.fn();
      expect(readPreferences(saved, log)).toEqual(DEFAULT_PREFERENCES);
      expect(log).toHaveBeenCalledWith("Failed to parse cookie preferences", expect.any(Error));
    },
  );
});

describe("the choices", () => {
  test.each([
    ["accept all", acceptAll(7), ALL],
    ["reject all", rejectAll(7), { ...DEFAULT_PREFERENCES, accepted: true, timestamp: 7 }],
    [
      "save with analytics",
      savePreferences(DEFAULT_PREFERENCES, { analytics: true }, 7),
      { ...DEFAULT_PREFERENCES, analytics: true, accepted: true, timestamp: 7 },
    ],
    [
      "save without analytics keeps what accept all gave",
      savePreferences(ALL, { analytics: false }, 9),
      { ...ALL, analytics: false, timestamp: 9 },
    ],
  ])("the choices have the right values: %s", (_, made, expected) => {
    expect(made).toEqual(expected);
  });
});

test.each<[boolean, boolean, CookieCategory, boolean]>([
  [true, true, "analytics", true],
  [true, false, "analytics", false],
  [false, true, "analytics", false],
  [false, false, "essential", false],
  [true, false, "essential", true],
  [true, false, "marketing", false],
])("accepted %s with analytics %s allows %s: %s", (accepted, analytics, category, allowed) => {
  expect(isAllowed({ ...DEFAULT_PREFERENCES, accepted, analytics }, category)).toBe(allowed);
});

test.each([
  [true, true, "granted"],
  [true, false, "denied"],
  [false, true, "denied"],
  [false, false, "denied"],
])("accepted %s with analytics %s results in the signal %s", (accepted, analytics, signal) => {
  expect(toConsentSignal({ ...DEFAULT_PREFERENCES, accepted, analytics })).toBe(signal);
});
