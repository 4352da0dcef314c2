import type { ApiKey } from "@feather/sdk";
import { t } from "@lingui/core/macro";

/** Returns the state of a key with the tier that colours it: switched off, expired or on. */
export function getKeyState({ disabled, expires_at }: ApiKey, now: Date): { tier: string; label: string } {
  if (disabled) return { tier: "offline", label: t`switched off` };
  if (expires_at !== null && expires_at <= now) return { tier: "bad", label: t`expired` };
  return { tier: "good", label: t`on` };
}
