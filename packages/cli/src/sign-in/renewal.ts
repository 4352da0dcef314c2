import { join } from "node:path";
import type { OAuth } from "@feather/sdk/oauth";
import { readProfiles } from "../config/config-file.ts";
import type { Profile } from "../config/config-schema.ts";
import { writeProfile } from "../config/config-store.ts";
import { withLock } from "../config/lock.ts";
import { SignInError } from "../errors.ts";
import { toTokens } from "./client.ts";

/** Access tokens are renewed this long before they expire, so that none expires in transit. */
const RENEWAL_MARGIN_MS = 60_000;

/** What a renewal needs: the profile to renew, and its effects. */
export type RenewalOptions = {
  dir: string;
  profile: string;
  signal: AbortSignal;
  now(): Date;
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  oauth(): Promise<OAuth>;
};

/**
 * Creates a function that returns the stored access token, renewed when it is about to expire or equals the `refused` one.
 * Concurrent calls share one renewal. It throws `SignInError` when the sign-in has ended.
 */
export function createRenewal(options: RenewalOptions): (refused?: string) => Promise<string> {
  let cached: Profile | undefined;
  let pendingRenewal: Promise<Profile> | undefined;
  return async (refused) => {
    cached ??= readProfiles(options.dir)[options.profile];
    if (cached === undefined || cached.secret === refused || endsSoon(cached, options.now())) {
      pendingRenewal ??= renew(options, refused).finally(() => {
        pendingRenewal = undefined;
      });
      cached = await pendingRenewal;
    }
    return cached.secret ?? "";
  };
}

/** Renews under a lock: a refresh token that two programs use counts as stolen, and ends the sign-in. */
async function renew(options: RenewalOptions, refused: string | undefined): Promise<Profile> {
  const { dir, profile, signal, now, sleep } = options;
  const work = async (): Promise<Profile> => {
    const stored = readProfiles(dir)[profile];
    if (stored?.secret === undefined) throw new SignInError("nobody is signed in any more");
    const isValid = stored.secret !== refused && !endsSoon(stored, now());
    if (stored.refreshToken === undefined || isValid) return stored; // another program has renewed it
    const { isApiError } = await import("@feather/sdk");
    try {
      const oauth = await options.oauth();
      const renewed = { ...stored, ...toTokens(await oauth.refresh(stored.refreshToken, signal)) };
      await writeProfile(dir, profile, renewed);
      return renewed;
    } catch (error) {
      if (isApiError(error) && error.code === "invalid_grant") throw new SignInError("the sign-in has ended");
      throw error;
    }
  };
  return withLock(join(dir, "renewal.lock"), work, (milliseconds) => sleep(milliseconds, signal));
}

function endsSoon({ expiresAt }: Profile, now: Date): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) - now.getTime() < RENEWAL_MARGIN_MS;
}
