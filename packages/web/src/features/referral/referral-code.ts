import { isApiError } from "@feather/sdk";
import type { KeyValueStore } from "#/lib/browser/storage.ts";

/** The storage key of the referral code. */
export const REFERRAL_KEY = "referralCode";
const MAX_CODE_LENGTH = 64;

/** Returns the referral code in a query parameter; null when it is empty or too long. */
export function parseReferralCode(parameter: string | null): string | null {
  const code = parameter?.trim() ?? "";
  return code === "" || code.length > MAX_CODE_LENGTH ? null : code;
}

/** What to do with a code after it was sent. */
export type StoreAction = "clear" | "keep";

/**
 * Returns "clear" when the server accepted the code or rejected it for good (unknown, the user's own, too late, already
 * set), and "keep" when retrying may help: expired session, rate limit, server or network error.
 */
export function getStoreAction(error: unknown): StoreAction {
  if (error === null || error === undefined) return "clear";
  if (!isApiError(error)) return "keep";
  if (error.status === 401 || error.status === 408 || error.status === 429) return "keep";
  return error.status >= 400 && error.status < 500 ? "clear" : "keep";
}

/** Stores the referral code of a visitor until it was sent; only in memory where the browser's storage fails. */
export function createReferralStore(storage: KeyValueStore) {
  let memoryCode: string | null = null;
  return {
    get: (): string | null => memoryCode ?? parseReferralCode(storage.get(REFERRAL_KEY)),
    set(code: string): void {
      memoryCode = storage.set(REFERRAL_KEY, code) ? null : code;
    },
    /** Removes this code, unless it was replaced by another one. */
    clear(code: string): void {
      if (memoryCode === code) memoryCode = null;
      if (storage.get(REFERRAL_KEY)?.trim() === code) storage.remove(REFERRAL_KEY);
    },
  };
}

export type ReferralStore = ReturnType<typeof createReferralStore>;

/** Sends the stored code, if there is one. Never throws. */
export async function sendReferral(store: ReferralStore, send: (code: string) => Promise<unknown>): Promise<void> {
  const code = store.get();
  if (code === null) return;
  const failure = await send(code).then(
    () => null,
    (error: unknown) => error,
  );
  if (getStoreAction(failure) === "clear") store.clear(code);
}
