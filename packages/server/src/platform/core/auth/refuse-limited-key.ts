import { errors } from "../errors/index.ts";
import type { SignedInActor } from "./actor.ts";

/**
 * Throws `api_keys.limited` for a key with limits where a new credential is created that could bypass them: keys, secrets of
 * applications, tokens of deployments, invitations. `mayExpire` permits a key whose only limit is its expiry, for
 * credentials that expire with it.
 */
export function refuseLimitedKey({ credential }: SignedInActor, { mayExpire = false } = {}): void {
  if (credential.type !== "key") return;
  const { allowedModels, ipAllowlist, maxConcurrency, isBatch, spendLimitNano, expires } = credential.limits;
  const isLimited =
    allowedModels.length > 0 ||
    ipAllowlist.length > 0 ||
    maxConcurrency !== null ||
    isBatch ||
    spendLimitNano !== null ||
    (expires && !mayExpire);
  if (isLimited) throw errors.apiKeys.limited();
}
