import { mkdirSync, rmdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Feather } from "@feather/sdk";
import { type Profile, readProfiles, writeProfile } from "../config/file.ts";
import { SignInError, WaitTimeoutError } from "../errors.ts";
import { CLIENT_ID, tokensFrom } from "./client.ts";

/** Access tokens are renewed this long before they end, so that none ends on its way. */
const MARGIN = 60_000;
const POLL = 50;
const PATIENCE = 20_000;
/** A lock this old was left behind by a program that was ended. */
const ABANDONED = 15_000;

type Renewing = {
  dir: string;
  profile: string;
  signal: AbortSignal;
  now(): Date;
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  client(): Promise<Feather>;
};

/** Gives the stored access token, renewed when it is about to end. Asked several times at once it renews once. */
export function createRenewal(deps: Renewing): () => Promise<string> {
  let known: Profile | undefined;
  let running: Promise<Profile> | undefined;
  return async () => {
    known ??= readProfiles(deps.dir)[deps.profile];
    if (known === undefined || endsSoon(known, deps.now())) {
      running ??= renew(deps).finally(() => {
        running = undefined;
      });
      known = await running;
    }
    return known.secret ?? "";
  };
}

/** Renews under a lock: two programs with one refresh token would look like a thief and its owner, and both be signed out. */
async function renew(deps: Renewing): Promise<Profile> {
  const { dir, profile, signal, now } = deps;
  const unlock = await lock(join(dir, "renewal.lock"), deps);
  try {
    const stored = readProfiles(dir)[profile];
    if (stored?.secret === undefined) throw new SignInError("nobody is signed in any more");
    if (stored.refreshToken === undefined || !endsSoon(stored, now())) return stored; // another program did it
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
  } finally {
    unlock();
  }
}

function endsSoon({ expiresAt }: Profile, now: Date): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) - now.getTime() < MARGIN;
}

/** A folder as a lock: making it succeeds for one program only. */
async function lock(path: string, { sleep, signal }: Renewing): Promise<() => void> {
  for (const until = Date.now() + PATIENCE; Date.now() < until; ) {
    try {
      mkdirSync(path);
      return () => forget(path);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    if (isAbandoned(path)) forget(path);
    else await sleep(POLL, signal);
  }
  throw new WaitTimeoutError(`another feather holds ${path}; remove it if none runs`);
}

function isAbandoned(path: string): boolean {
  const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs > ABANDONED;
}

function forget(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Somebody else took it away, who held it for abandoned.
  }
}
