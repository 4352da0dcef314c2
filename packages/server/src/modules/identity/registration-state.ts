import { createHmac, timingSafeEqual } from "node:crypto";
import { sameOriginPath } from "../../http/same-origin-path.ts";

/** Data that a visitor carries through registration: the page to return to, the referrer and campaign parameters. */
export type RegistrationState = { returnTo: string | null; referrer: string | null; utm: Record<string, string> };

/** The state of a registration without one. */
export const NO_STATE: RegistrationState = { returnTo: null, referrer: null, utm: {} };

const SIGNATURE = 32;
/** Maximum of characters, so that the state fits into a URL. */
const LONGEST = { path: 2000, utm: 100 };
const UTM = ["source", "medium", "campaign", "term", "content"];

/** Creates the codec of registration states: base64url of an HMAC and JSON. */
export function createRegistrationStates(secret: Uint8Array) {
  const sign = (json: string) => createHmac("sha256", secret).update("registration state ").update(json).digest();
  return {
    write(state: RegistrationState): string {
      const json = JSON.stringify(state);
      return Buffer.concat([sign(json), Buffer.from(json)]).toString("base64url");
    },
    /** Returns the empty state for texts without a valid signature. */
    read(text: string | null | undefined): RegistrationState {
      const bytes = Buffer.from(text ?? "", "base64url");
      const json = bytes.subarray(SIGNATURE).toString("utf8");
      if (bytes.length <= SIGNATURE || !timingSafeEqual(bytes.subarray(0, SIGNATURE), sign(json))) return NO_STATE;
      return JSON.parse(json) as RegistrationState;
    },
  };
}

/** Signs and reads registration states. */
export type RegistrationStates = ReturnType<typeof createRegistrationStates>;

/** Keeps same-origin paths and known campaign parameters, and limits their length. */
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
