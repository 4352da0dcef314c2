import { createHmac, timingSafeEqual } from "node:crypto";
import { sameOriginPath } from "../../http/same-origin-path.ts";

/** Where somebody who registers came from and wants to go. */
export type RegistrationState = { returnTo: string | null; referrer: string | null; utm: Record<string, string> };

export const NO_STATE: RegistrationState = { returnTo: null, referrer: null, utm: {} };

const SIGNATURE = 32;
/** What a text may hold, so that the whole state stays short enough to be sent back. */
const LONGEST = { path: 2000, utm: 100 };
const UTM = ["source", "medium", "campaign", "term", "content"];

/** The state a visitor carries through registering, signed so that it is ours: base64url of a signature and JSON. */
export function createRegistrationStates(secret: Uint8Array) {
  const sign = (json: string) => createHmac("sha256", secret).update("registration state ").update(json).digest();
  return {
    write(state: RegistrationState): string {
      const json = JSON.stringify(state);
      return Buffer.concat([sign(json), Buffer.from(json)]).toString("base64url");
    },
    /** What is not ours, or changed, counts as none. */
    read(text: string | null | undefined): RegistrationState {
      const bytes = Buffer.from(text ?? "", "base64url");
      const json = bytes.subarray(SIGNATURE).toString("utf8");
      if (bytes.length <= SIGNATURE || !timingSafeEqual(bytes.subarray(0, SIGNATURE), sign(json))) return NO_STATE;
      return JSON.parse(json) as RegistrationState;
    },
  };
}

export type RegistrationStates = ReturnType<typeof createRegistrationStates>;

/** Keeps what is harmless of what a visitor brings along. */
export function tidyState(given: {
  returnTo?: string | null | undefined;
  referrer?: string | null | undefined;
  utm?: Record<string, string> | null | undefined;
}): RegistrationState {
  const utm = Object.fromEntries(
    Object.entries(given.utm ?? {})
      .filter(([name]) => UTM.includes(name))
      .map(([name, value]) => [name, value.slice(0, LONGEST.utm)]),
  );
  const path = sameOriginPath(given.returnTo ?? null);
  return { returnTo: path === null || path.length > LONGEST.path ? null : path, referrer: given.referrer ?? null, utm };
}
