import { chmodSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../errors.ts";
import { withLock } from "./lock.ts";

/** The stored settings of one server and one account. */
export type Profile = {
  readonly baseUrl?: string;
  readonly secret?: string;
  readonly name?: string;
  /** Refresh token and expiry of the secret (RFC 3339), for sign-ins by browser or device. */
  readonly refreshToken?: string;
  readonly expiresAt?: string;
};
/** Profiles by name. */
export type Profiles = Readonly<Record<string, Profile>>;

/** The content of the file: the profiles, and the one that is used when none is named. */
export type Config = { readonly profiles: Profiles; readonly current: string };

/** Profile that is used when none was ever chosen. */
export const DEFAULT_PROFILE = "default";
const FILE_NAME = "config";
const EMPTY_CONFIG: Config = { profiles: {}, current: DEFAULT_PROFILE };

/** Returns the path of the configuration file. */
export const configPath = (dir: string): string => join(dir, `${FILE_NAME}.json`);

/** Reads the configuration; empty when there is no file. Throws `UsageError` when it is invalid. Uses no library, for a fast start. */
export function readConfig(dir: string): Config {
  const path = configPath(dir);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return EMPTY_CONFIG;
    throw new UsageError(
      `${path} cannot be read (${code ?? String(error)})`,
      "give it to yourself, or remove it and feather login",
    );
  }
  const content = parse(text, path);
  if (!isRecord(content)) throw createInvalidConfigError(path);
  const { profiles = {}, current = DEFAULT_PROFILE } = content;
  if (!isRecord(profiles) || typeof current !== "string") throw createInvalidConfigError(path);
  return {
    profiles: Object.fromEntries(Object.entries(profiles).map(([name, value]) => [name, parseProfile(value)])),
    current,
  };
}

/** Reads the profiles of the configuration. */
export const readProfiles = (dir: string): Profiles => readConfig(dir).profiles;

/**
 * Removes other users' access to the file; returns whether they had any. Does nothing on Windows. Throws `UsageError` when
 * the mode cannot be changed.
 */
export function restrictPermissions(dir: string, platform: string = process.platform): boolean {
  if (platform === "win32") return false;
  const path = configPath(dir);
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) === 0) return false;
  try {
    chmodSync(path, 0o600);
  } catch {
    throw new UsageError(
      `others on this machine can read ${path}, and it is not yours to close`,
      "its owner: chmod 600",
    );
  }
  return true;
}

/** Writes one profile; `undefined` removes it. File and folder are accessible to their owner only. */
export function writeProfile(dir: string, name: string, profile: Profile | undefined): Promise<void> {
  return updateConfig(dir, ({ profiles: { [name]: _, ...others }, current }) => ({
    profiles: profile === undefined ? others : { ...others, [name]: profile },
    current: profile === undefined && current === name ? DEFAULT_PROFILE : current,
  }));
}

/** Sets the profile that is used when none is named. */
export function setCurrentProfile(dir: string, name: string): Promise<void> {
  return updateConfig(dir, (config) => ({ ...config, current: name }));
}

/** Rewrites the file under a lock: two programs at once would lose each other's changes. */
async function updateConfig(dir: string, edit: (config: Config) => Config): Promise<void> {
  const { default: Conf } = await import("conf");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  chmodSync(dir, 0o700);
  await withLock(join(dir, "config.lock"), async () => {
    const next = edit(readConfig(dir));
    const file = new Conf<Config>({
      projectName: "feather",
      cwd: dir,
      configName: FILE_NAME,
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    });
    file.set({ ...next });
    chmodSync(file.path, 0o600);
  });
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not valid JSON`, REPAIR_HINT);
  }
}

const REPAIR_HINT = "repair or remove it, then feather login";

const createInvalidConfigError = (path: string) =>
  new UsageError(`${path} does not hold a configuration of feather`, REPAIR_HINT);

function parseProfile(value: unknown): Profile {
  if (!isRecord(value)) return {};
  const text = (key: string) => (typeof value[key] === "string" ? { [key]: value[key] } : {});
  const names = ["baseUrl", "secret", "name", "refreshToken", "expiresAt"] as const;
  return Object.assign({}, ...names.map(text));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
