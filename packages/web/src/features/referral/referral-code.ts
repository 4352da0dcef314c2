import { isApiError } from "@feather/sdk";
import type { TextStore } from "#/lib/storage.ts";

export const REFERRAL_KEY = "referralCode";
const LONGEST = 64;

/** A code from the address, fit to be kept; null when there is none. */
export function codeOf(parameter: string | null): string | null {
  const code = parameter?.trim() ?? "";
  return code === "" || code.length > LONGEST ? null : code;
}

/** What to do with a code after it was sent. */
export type Outcome = "clear" | "keep";

/**
 * The code is done with when the server took it, or said something that trying again cannot change: no such code, one's
 * own, too late, or set already. It is kept for the next visit when the session had ended, when there were too many
 * requests, and when the server failed or was not reached.
 */
export function outcomeOf(error: unknown): Outcome {
  if (error === null || error === undefined) return "clear";
  if (!isApiError(error)) return "keep";
  if (error.status === 401 || error.status === 408 || error.status === 429) return "keep";
  return error.status >= 400 && error.status < 500 ? "clear" : "keep";
}

/** The code that brought a visitor, kept until it was sent; for the visit only where the browser keeps nothing. */
export function createReferralStore(storage: TextStore) {
  let unkept: string | null = null;
  return {
    get: (): string | null => unkept ?? codeOf(storage.get(REFERRAL_KEY)),
    set(code: string): void {
      unkept = storage.set(REFERRAL_KEY, code) ? null : code;
    },
    /** Forgets this code, but not one that came meanwhile. */
    clear(code: string): void {
      if (unkept === code) unkept = null;
      if (storage.get(REFERRAL_KEY)?.trim() === code) storage.remove(REFERRAL_KEY);
    },
  };
}

export type ReferralStore = ReturnType<typeof createReferralStore>;

/** Sends the kept code, if there is one. It never throws. */
export async function sendReferral(store: ReferralStore, send: (code: string) => Promise<unknown>): Promise<void> {
  const code = store.get();
  if (code === null) return;
  const failure = await send(code).then(
    () => null,
    (error: unknown) => error,
  );
  if (outcomeOf(failure) === "clear") store.clear(code);
}
