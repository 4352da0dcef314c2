import { readCache, writeCache } from "../cache.ts";
import type { Environment } from "../config/environment.ts";
import { loadSettings } from "../config/settings.ts";
import type { Io } from "../output/io.ts";
import { siteOf } from "../sign-in/client.ts";

const keyOf = (baseUrl: string) => ["version of the program that the server gives out", baseUrl];
const DAY = 86_400_000;

/** What the notice depends on. */
export type UpdateDeps = {
  readonly version: string;
  /** URL of the server; undefined when the settings are invalid. */
  readonly baseUrl: string | undefined;
  readonly now: Date;
  /** Starts a background process that looks the latest version up. */
  lookUpLater(): void;
};

/** Returns the URL of the server that commands without flags use; undefined when the settings are invalid. */
export function usualServer(env: Environment): string | undefined {
  try {
    return loadSettings({}, env).baseUrl;
  } catch {
    return undefined;
  }
}

/**
 * Announces, once per look-up and at a terminal only, that the server offers a newer version. The version comes from the
 * cache, and is looked up at most once a day in the background, so that no command waits for it.
 */
export function tellOfUpdate({ stderr, env }: Io, { version, baseUrl, now, lookUpLater }: UpdateDeps): void {
  if (env.noUpdateNotice || env.ci || env.agent || stderr.isTTY !== true || baseUrl === undefined) return;
  const key = keyOf(baseUrl);
  const kept = readCache<{ readonly newest: string | null; readonly told: boolean }>(env.cacheDir, key);
  if (kept === undefined || now.getTime() - kept.at > DAY) {
    // Stored before the look-up, which may fail: an unreachable server must not be asked by every command.
    writeCache(env.cacheDir, key, { at: now.getTime(), value: { newest: null, told: false } });
    lookUpLater();
    return;
  }
  const { newest, told } = kept.value;
  if (newest === null || told || !isNewer(newest, version)) return;
  const site = siteOf(baseUrl);
  stderr.write(`\n${new URL(site).host} has feather ${newest}; this is ${version}. npm install -g ${site}/cli.tgz\n`);
  writeCache(env.cacheDir, key, { at: kept.at, value: { newest, told: true } });
}

/** Asks the server for its version, which is also that of the program it offers, and caches it. */
export async function lookUp(
  dir: string,
  baseUrl: string,
  now: Date,
  fetch: (url: string) => Promise<Response>,
): Promise<void> {
  const answer = await fetch(`${siteOf(baseUrl)}/api/config`);
  const { version }: { version?: unknown } = answer.ok ? ((await answer.json()) as object) : {};
  if (typeof version !== "string" || !/^\d+\.\d+\.\d+$/.test(version)) return;
  writeCache(dir, keyOf(baseUrl), { at: now.getTime(), value: { newest: version, told: false } });
}

function isNewer(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  for (const [index, part] of (left ?? []).entries()) if (part !== right?.[index]) return part > (right?.[index] ?? 0);
  return false;
}
