import { join } from "node:path";
import type { Feather } from "@feather/sdk";
import { type Profile, readProfiles, writeProfile } from "../config/file.ts";
import { locked } from "../config/lock.ts";
import { SignInError } from "../errors.ts";
import { CLIENT_ID, tokensFrom } from "./client.ts";

/** Access tokens are renewed this long before they end, so that none ends on its way. */
const MARGIN = 60_000;

export type Renewing = {
  dir: string;
  profile: string;
  signal: AbortSignal;
  now(): Date;
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  client(): Promise<Feather>;
};

/**
 * Gives the stored access token, renewed when it is about to end, or when the server has `refused` the one that looked
 * good. Asked several times at once it renews once.
 */
export function createRenewal(deps: Renewing): (refused?: string) => Promise<string> {
  let known: Profile | undefined;
  let running: Promise<Profile> | undefined;
  return async (refused) => {
    known ??= readProfiles(deps.dir)[deps.profile];
    if (known === undefined || known.secret === refused || endsSoon(known, deps.now())) {
      running ??= renew(deps, refused).finally(() => {
        running = undefined;
      });
      known = await running;
    }
    return known.secret ?? "";
  };
}

/** Renews under a lock: two programs with one refresh token would look like a thief and its owner, and both be signed out. */
async function renew(deps: Renewing, refused: string | undefined): Promise<Profile> {
  const { dir, profile, signal, now, sleep } = deps;
  const work = async (): Promise<Profile> => {
    const stored = readProfiles(dir)[profile];
    if (stored?.secret === undefined) throw new SignInError("nobody is signed in any more");
    const holds = stored.secret !== refused && !endsSoon(stored, now());
    if (stored.refreshToken === undefined || holds) return stored; // another program did it
    const { isApiError } = await import("@feather/sdk");
    try {
      const client = await deps.client();
      const fields = { grant_type: "refresh_token", refresh_token: stored.refreshToken, client_id: CLIENT_ID };
      const renewed = { ...stored, ...tokensFrom(await client.oauth.token(fields, { signal }), now()) };
      await writeProfile(dir, profile, renewed);
      return renewed;
    } catch (error) {
      if (isApiError(error) && error.code === "invalid_grant") throw new SignInError("the sign-in has ended");
      throw error;
    }
  };
  return locked(join(dir, "renewal.lock"), work, (milliseconds) => sleep(milliseconds, signal));
}

function endsSoon({ expiresAt }: Profile, now: Date): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) - now.getTime() < MARGIN;
}
