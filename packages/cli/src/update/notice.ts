import { readCache, writeCache } from "../cache.ts";
import type { Environment } from "../config/environment.ts";
import { loadSettings } from "../config/settings.ts";
import type { Io } from "../output/io.ts";
import { siteOf } from "../sign-in/client.ts";

const keyOf = (baseUrl: string) => ["version of the program that the server gives out", baseUrl];
const DAY = 86_400_000;

export type UpdateDeps = {
  readonly version: string;
  /** Address of the server; undefined when none can be told. */
  readonly baseUrl: string | undefined;
  readonly now: Date;
  /** Looks the newest version up in a process of its own, for which nobody waits. */
  lookUpLater(): void;
};

/** The server that commands without flags go to; undefined when the settings name none. */
export function usualServer(env: Environment): string | undefined {
  try {
    return loadSettings({}, env).baseUrl;
  } catch {
    return undefined;
  }
}

/**
 * Says once a day that the server gives out a newer version, to people at a terminal. The server's version is known from
 * the last time it was looked up, so that no command waits for it.
 */
export function tellOfUpdate({ stderr, env }: Io, { version, baseUrl, now, lookUpLater }: UpdateDeps): void {
  if (env.noUpdateNotice || env.ci || env.agent || stderr.isTTY !== true || baseUrl === undefined) return;
  const key = keyOf(baseUrl);
  const kept = readCache<{ readonly newest: string | null; readonly told: boolean }>(env.cacheDir, key);
  if (kept === undefined || now.getTime() - kept.at > DAY) {
    // Also remembered when the lookup fails: a server that is away is not asked by every command.
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

/** Asks the server for its version, which is that of the program it gives out, and keeps the answer. */
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
