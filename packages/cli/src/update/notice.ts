import { readCache, writeCache } from "../cache.ts";
import type { Io } from "../output/io.ts";

const KEY = ["newest version of the program"];
const DAY = 86_400_000;

export type UpdateDeps = {
  readonly version: string;
  readonly now: Date;
  /** Looks the newest version up in a process of its own, for which nobody waits. */
  lookUpLater(): void;
};

/**
 * Says once a day that a newer version is there, to people at a terminal. What is newest is known from the last time it
 * was looked up, so that no command waits for a registry.
 */
export function tellOfUpdate({ stderr, env }: Io, { version, now, lookUpLater }: UpdateDeps): void {
  if (env.noUpdateNotice || env.ci || env.agent || stderr.isTTY !== true) return;
  const kept = readCache<{ readonly newest: string | null; readonly told: boolean }>(env.cacheDir, KEY);
  if (kept === undefined || now.getTime() - kept.at > DAY) {
    // Also remembered when the lookup fails: a registry that is away is not asked by every command.
    writeCache(env.cacheDir, KEY, { at: now.getTime(), value: { newest: null, told: false } });
    lookUpLater();
    return;
  }
  const { newest, told } = kept.value;
  if (newest === null || told || !isNewer(newest, version)) return;
  stderr.write(`\nfeather ${newest} is there; this is ${version}. npm install -g @feather/cli\n`);
  writeCache(env.cacheDir, KEY, { at: kept.at, value: { newest, told: true } });
}

/** Asks the registry for the newest version, and keeps the answer. */
export async function lookUp(
  dir: string,
  registry: string,
  now: Date,
  fetch: (url: string) => Promise<Response>,
): Promise<void> {
  const answer = await fetch(`${registry.replace(/\/+$/, "")}/@feather%2Fcli/latest`);
  const { version }: { version?: unknown } = answer.ok ? ((await answer.json()) as object) : {};
  if (typeof version !== "string" || !/^\d+\.\d+\.\d+$/.test(version)) return;
  writeCache(dir, KEY, { at: now.getTime(), value: { newest: version, told: false } });
}

function isNewer(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  for (const [index, part] of (left ?? []).entries()) if (part !== right?.[index]) return part > (right?.[index] ?? 0);
  return false;
}
