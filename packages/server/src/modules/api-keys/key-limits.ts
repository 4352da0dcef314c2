import type { SignedIn } from "../../http/actor.ts";
import { AppError } from "../../shared/errors.ts";

/**
 * Refuses a key that is held to limits where something is made that opens more: keys, secrets of applications, tokens of
 * deployments, invitations. `mayExpire` lets a key through whose only limit is its end, for what ends with that key.
 */
export function refuseLimitedKey({ credential }: SignedIn, { mayExpire = false } = {}): void {
  if (credential.type !== "key") return;
  const { allowedModels, ipAllowlist, maxConcurrency, spendLimitNano, expires } = credential.limits;
  const isLimited =
    allowedModels.length > 0 ||
    ipAllowlist.length > 0 ||
    maxConcurrency !== null ||
    spendLimitNano !== null ||
    (expires && !mayExpire);
  if (isLimited)
    throw new AppError(
      403,
      "key_limited",
      "A key with limits of its own can neither make nor change what opens the platform. Use a key without limits, or sign in.",
    );
}
