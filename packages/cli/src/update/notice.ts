import { readCache, writeCache } from "../cache.ts";
import type { Environment } from "../config/environment.ts";
import { loadSettings } from "../config/settings.ts";
import type { Io } from "../output/io.ts";
import { DAY_MS } from "../time.ts";

const cacheKey = (baseUrl: string) => ["version of the program that the server gives out", baseUrl];

/** What the notice depends on. */
export type UpdateNoticeOptions = {
  readonly version: string;
  /** URL of the server; undefined when the settings are invalid. */
  readonly baseUrl: string | undefined;
  readonly now: Date;
  /** Starts a background process that looks the latest version up. */
  scheduleLookUp(): void;
};

/** Returns the URL of the server that commands without flags use; undefined when the settings are invalid. */
export function findDefaultServer(env: Environment): string | undefined {
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
export function notifyOfUpdate(
  { stderr, env }: Io,
  { version, baseUrl, now, scheduleLookUp }: UpdateNoticeOptions,
): void {
  if (env.noUpdateNotice || env.ci || env.agent || stderr.isTTY !== true || baseUrl === undefined) return;
  const key = cacheKey(baseUrl);
  const cached = readCache<{ readonly newest: string | null; readonly told: boolean }>(env.cacheDir, key);
  if (cached === undefined || now.getTime() - cached.at > DAY_MS) {
    // Stored before the look-up, which may fail: an unreachable server must not be asked by every command.
    writeCache(env.cacheDir, key, { at: now.getTime(), value: { newest: null, told: false } });
    scheduleLookUp();
    return;
  }
  const { newest, told } = cached.value;
  if (newest === null || told || !isNewer(newest, version)) return;
  const { host } = new URL(baseUrl);
  stderr.write(`\n${host} has feather ${newest}; this is ${version}. npm install -g ${baseUrl}/cli.tgz\n`);
  writeCache(env.cacheDir, key, { at: cached.at, value: { newest, told: true } });
}

/** Asks the server for its version, which is also that of the program it offers, and caches it. */
export async function fetchLatestVersion(
  dir: string,
  baseUrl: string,
  now: Date,
  fetch: (url: string) => Promise<Response>,
): Promise<void> {
  const answer = await fetch(`${baseUrl}/api/config`);
  const { version }: { version?: unknown } = answer.ok ? ((await answer.json()) as object) : {};
  if (typeof version !== "string" || !/^\d+\.\d+\.\d+$/.test(version)) return;
  writeCache(dir, cacheKey(baseUrl), { at: now.getTime(), value: { newest: version, told: false } });
}

function isNewer(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  for (const [index, part] of (left ?? []).entries()) if (part !== right?.[index]) return part > (right?.[index] ?? 0);
  return false;
}
