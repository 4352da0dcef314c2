import type { components } from "@feather/openapi/schema";
import { type BackendKey, isResting } from "../../gateway/index.ts";

/** The contract's schema of a key of a backend. */
export type BackendKeyDto = components["schemas"]["BackendKey"];

/** A key as it is stored or configured. */
type DescribedKey = { id: string; label: string; weight: number; secret: string };

const SHOWN_CHARACTERS = 4;
/** Of shorter keys, the shown characters would be too large a part. */
const MIN_CHARACTERS_TO_SHOW = 12;

/** Returns the characters of a key that are shown: its last four, or none of a short key. */
export const toLastCharacters = (secret: string): string =>
  secret.length < MIN_CHARACTERS_TO_SHOW ? "" : secret.slice(-SHOWN_CHARACTERS);

/** Returns a key of a backend for administrators, without its text. `running` is the key in the registry, if it is there. */
export function toBackendKeyDto(
  { id, label, weight, secret }: DescribedKey,
  running: BackendKey | undefined,
  nowMs: number,
): BackendKeyDto {
  const rest = running && isResting(running, nowMs) ? running.rest : null;
  return {
    id,
    label,
    weight,
    last_characters: toLastCharacters(secret),
    in_flight: running?.inFlight ?? 0,
    state: rest === null ? "ready" : rest.reason === "limit" ? "resting" : "refused",
    resumes_at: rest === null ? null : new Date(rest.until).toISOString(),
    error: rest?.failure.error ?? null,
    advice: rest?.failure.advice ?? null,
  };
}
