import { ApiError, ConnectionError } from "@feather/sdk";
import { describe, expect, test, vi } from "vitest";
import type { KeyValueStore } from "#/lib/browser/storage.ts";
import { createReferralStore, getStoreAction, parseReferralCode, REFERRAL_KEY, sendReferral } from "./referral-code.ts";

const refusal = (status: number, code = "x") => new ApiError({ status, code, message: "x", requestId: null });

function memory(closed = false): KeyValueStore & { stored: Map<string, string> } {
  const stored = new Map<string, string>();
  return {
    stored,
    get: (key) => stored.get(key) ?? null,
    set: (key, value) => !closed && Boolean(stored.set(key, value)),
    remove: (key) => void stored.delete(key),
  };
}

test.each([
  [null, null],
  ["", null],
  ["   ", null],
  ["4PUP8PVP", "4PUP8PVP"],
  [" old-Code-1 ", "old-Code-1"],
  ["x".repeat(65), null],
])("parses the parameter %j as the code %j", (parameter, code) => {
  expect(parseReferralCode(parameter)).toBe(code);
});

test.each([
  ["the server accepted it", null, "clear"],
  ["it is the user's own code", refusal(400, "referrals.self_referral"), "clear"],
  ["the code is unknown", refusal(404, "referrals.unknown_code"), "clear"],
  ["a referrer is set already", refusal(409, "referrals.already_set"), "clear"],
  ["it is too late", refusal(409, "referrals.too_late"), "clear"],
  ["it is forbidden", refusal(403), "clear"],
  ["the session has expired", refusal(401), "keep"],
  ["there were too many requests", refusal(429), "keep"],
  ["the server failed", refusal(500), "keep"],
  ["the server is stopping", refusal(503), "keep"],
  ["the server was not reached", new ConnectionError("x"), "keep"],
])("when %s, the action is %s", (_, error, outcome) => {
  expect(getStoreAction(error)).toBe(outcome);
});

describe("the stored referral code", () => {
  test("the stored referral code is sent and cleared", async () => {
    const storage = memory();
    const store = createReferralStore(storage);
    store.set("CODE");
    expect(storage.stored.get(REFERRAL_KEY)).toBe("CODE");
    const send = vi.fn(async () => {});
    await sendReferral(store, send);
    expect(send).toHaveBeenCalledWith("CODE");
    expect(storage.stored.size).toBe(0);
    await sendReferral(store, send);
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("the stored referral code is kept when retrying may help", async () => {
    const store = createReferralStore(memory());
    store.set("CODE");
    await sendReferral(store, () => Promise.reject(refusal(503)));
    expect(store.get()).toBe("CODE");
  });

  test("the stored referral code is not removed when it was replaced meanwhile", async () => {
    const store = createReferralStore(memory());
    store.set("OLD");
    await sendReferral(store, async () => store.set("NEW"));
    expect(store.get()).toBe("NEW");
  });

  test("the stored referral code is kept in memory where the storage is full or denied", async () => {
    const store = createReferralStore(memory(true));
    store.set("CODE");
    expect(store.get()).toBe("CODE");
    await sendReferral(store, async () => {});
    expect(store.get()).toBeNull();
  });

  test.each(["", "  ", "x".repeat(999)])(
    "the stored referral code is none when the storage holds %j",
    async (corrupt) => {
      const storage = memory();
      storage.stored.set(REFERRAL_KEY, corrupt);
      expect(createReferralStore(storage).get()).toBeNull();
    },
  );
});
