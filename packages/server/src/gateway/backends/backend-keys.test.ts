import { describe, expect, test } from "vitest";
import { type BackendKey, chooseKey, endRest, type KeyRefusal, restKey, toKeyRing } from "./backend-keys.ts";

const NONE: ReadonlySet<BackendKey> = new Set();
const FAILURE = { problem: null, error: "It refused.", advice: null };
const atLimit = (retryAfterMs: number | null): KeyRefusal => ({ reason: "limit", retryAfterMs, failure: FAILURE });
const REFUSED: KeyRefusal = { reason: "refused", retryAfterMs: null, failure: FAILURE };

/** Returns a ring of keys `a`, `b`, … with these weights, and its keys. */
function ringOf(...weights: number[]) {
  const specs = weights.map((weight, index) => {
    const label = String.fromCharCode("a".charCodeAt(0) + index);
    return { label, weight, secret: `sk-${label}` };
  });
  const ring = toKeyRing(specs, undefined);
  return { ring, specs, keys: ring.list as [BackendKey, BackendKey, BackendKey] };
}

describe("choosing the key of a call", () => {
  test("calls one after the other are spread by weight", () => {
    const { ring } = ringOf(1, 3);
    const labels = Array.from({ length: 8 }, () => chooseKey(ring, 0, NONE)?.label);
    expect(labels.toSorted().join("")).toBe("aabbbbbb");
    expect(labels.slice(0, 4)).toContain("a");
  });

  test("calls at the same time are spread by weight", () => {
    const { ring, keys } = ringOf(1, 3);
    for (let call = 0; call < 40; call++) {
      const key = chooseKey(ring, 0, NONE);
      if (key) key.inFlight += 1;
    }
    expect(keys.map(({ inFlight }) => inFlight)).toEqual([10, 30]);
  });

  test("a key that rests gets no calls, and does not make up for them afterwards", () => {
    const { ring, keys } = ringOf(1, 1);
    restKey(ring, keys[0], atLimit(60_000), 0);
    const next = (now: number) => chooseKey(ring, now, NONE)?.label;
    for (let call = 0; call < 10; call++) expect(next(0)).toBe("b");
    const later = Array.from({ length: 10 }, () => next(60_000));
    expect(later.filter((label) => label === "a").length).toBeLessThanOrEqual(6);
  });

  test("there is no key while all are at their limit", () => {
    const { ring, keys } = ringOf(1, 1);
    for (const key of keys) restKey(ring, key, atLimit(5_000), 0);
    expect(chooseKey(ring, 4_999, NONE)).toBeNull();
    expect(chooseKey(ring, 5_000, NONE)?.label).toBe("a");
  });

  test("keys that are all refused are tried again, the one first whose rest ends first", () => {
    const { ring, keys } = ringOf(1, 1);
    restKey(ring, keys[1], REFUSED, 0);
    restKey(ring, keys[0], REFUSED, 1);
    expect(chooseKey(ring, 2, NONE)?.label).toBe("b");
  });
});

describe("the rest of a key", () => {
  const restOf = ({ rest }: BackendKey) => rest?.until;

  test.each([
    ["as long as the backend says", 7_000, 7_000],
    ["a second at least", 0, 1_000],
    ["five minutes at most", 86_400_000, 300_000],
    ["30 seconds if the backend does not say how long", null, 30_000],
  ])("at its limit lasts %s", (_what, retryAfterMs, expected) => {
    const { ring, keys } = ringOf(1, 1);
    restKey(ring, keys[0], atLimit(retryAfterMs), 0);
    expect(restOf(keys[0])).toBe(expected);
  });

  test("doubles up to five minutes, and begins anew after an answer", () => {
    const { ring, keys } = ringOf(1, 1);
    const rest = () => {
      restKey(ring, keys[0], atLimit(null), 0);
      return restOf(keys[0]);
    };
    expect([rest(), rest(), rest(), rest(), rest(), rest()]).toEqual(
      [30, 60, 120, 240, 300, 300].map((s) => s * 1_000),
    );
    endRest(keys[0]);
    expect(rest()).toBe(30_000);
  });

  test("doubles from 10 minutes up to an hour for a key that is refused", () => {
    const { ring, keys } = ringOf(1, 1);
    const rest = () => {
      restKey(ring, keys[0], REFUSED, 0);
      return restOf(keys[0]);
    };
    expect([rest(), rest(), rest(), rest()]).toEqual([10, 20, 40, 60].map((minutes) => minutes * 60_000));
  });

  test("is left out for the only key at a limit of unknown length, since nothing else could answer", () => {
    const { ring, keys } = ringOf(1);
    restKey(ring, keys[0], atLimit(null), 0);
    expect(chooseKey(ring, 0, NONE)?.label).toBe("a");
  });
});

test("a key that stays when others change keeps its rest and its calls in flight", () => {
  const { ring, specs, keys } = ringOf(1, 1);
  restKey(ring, keys[0], atLimit(60_000), 0);
  keys[0].inFlight = 3;
  const changed = toKeyRing(
    [
      { label: "a", weight: 2, secret: "sk-a" },
      { label: "b", weight: 1, secret: "sk-new" },
    ],
    ring,
  );
  expect(changed.list).toMatchObject([
    { weight: 2, inFlight: 3, rest: { until: 60_000 } },
    { secret: "sk-new", inFlight: 0, rest: null },
  ]);
  expect(toKeyRing(specs.slice(1), ring).list).toHaveLength(1);
});
