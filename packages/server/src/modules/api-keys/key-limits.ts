import type { SignedInActor } from "../../http/actor.ts";
import { AppError } from "../../shared/errors.ts";

/**
 * Throws `key_limited` for a key with limits where a new credential is created that could bypass them: keys, secrets of
 * applications, tokens of deployments, invitations. `mayExpire` permits a key whose only limit is its expiry, for
 * credentials that expire with it.
 */
export function refuseLimitedKey({ credential }: SignedInActor, { mayExpire = false } = {}): void {
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
