import { toSameOriginPath } from "../../../platform/core/http/same-origin-path.ts";
import type { Signer } from "../../../platform/core/secrets/sealing.ts";

/** Data that a visitor carries through registration: the page to return to, the referrer and campaign parameters. */
export type RegistrationState = { returnTo: string | null; referrer: string | null; utm: Record<string, string> };

/** The state of a registration without one. */
export const EMPTY_STATE: RegistrationState = { returnTo: null, referrer: null, utm: {} };

const SIGNATURE_BYTES = 32;
/** Maximum of characters, so that the state fits into a URL. */
const MAX_LENGTH = { path: 2000, utm: 100 };
const UTM_PARAMETERS = ["source", "medium", "campaign", "term", "content"];

/** Creates the codec of registration states: base64url of a signature and JSON. */
export function createRegistrationStates(signer: Signer) {
  return {
    write(state: RegistrationState): string {
      const json = Buffer.from(JSON.stringify(state));
      return Buffer.concat([signer.sign(json), json]).toString("base64url");
    },
    /** Returns the empty state for texts without a valid signature. */
    read(text: string | null | undefined): RegistrationState {
      const bytes = Buffer.from(text ?? "", "base64url");
      const json = bytes.subarray(SIGNATURE_BYTES);
      if (json.length === 0 || !signer.verify(json, bytes.subarray(0, SIGNATURE_BYTES))) return EMPTY_STATE;
      return JSON.parse(json.toString("utf8")) as RegistrationState;
    },
  };
}

/** Signs and reads registration states. */
export type RegistrationStates = ReturnType<typeof createRegistrationStates>;

/** Keeps same-origin paths and known campaign parameters, and limits their length. */
export function sanitizeState(input: {
  returnTo?: string | null | undefined;
  referrer?: string | null | undefined;
  utm?: Record<string, string> | null | undefined;
}): RegistrationState {
  const utm = Object.fromEntries(
    Object.entries(input.utm ?? {})
      .filter(([name]) => UTM_PARAMETERS.includes(name))
      .map(([name, value]) => [name, value.slice(0, MAX_LENGTH.utm)]),
  );
  const path = toSameOriginPath(input.returnTo ?? null);
  return {
    returnTo: path === null || path.length > MAX_LENGTH.path ? null : path,
    referrer: input.referrer ?? null,
    utm,
  };
}
