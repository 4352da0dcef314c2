import type { SignedIn } from "../../http/actor.ts";
import { AppError } from "../../shared/errors.ts";

/** A key that is held to limits could make one without them, so it may neither make nor change keys. */
export function refuseLimitedKey({ credential }: SignedIn): void {
  if (credential.type !== "key") return;
  const { allowedModels, ipAllowlist, maxConcurrency, spendLimitNano, expires } = credential.limits;
  const isLimited =
    allowedModels.length > 0 || ipAllowlist.length > 0 || maxConcurrency !== null || spendLimitNano !== null || expires;
  if (isLimited)
    throw new AppError(403, "key_limited", "A key with limits of its own can neither make keys nor change them.");
}
