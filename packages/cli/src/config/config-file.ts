import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../errors.ts";
import {
  type Aliases,
  CONFIG_DEFAULTS,
  CONFIG_MIGRATIONS,
  type Config,
  findConfigFault,
  type Profiles,
} from "./config-schema.ts";
import { isRecord } from "./record.ts";

/** Property in which conf keeps the version of the file. */
const INTERNAL_PROPERTY = "__internal__";

/** Name of the configuration file, without its extension. */
export const CONFIG_FILE_NAME = "config";
/** What to do about a file that is not valid. */
export const REPAIR_HINT = "repair or remove it, then feather login";

/** Returns the path of the configuration file. */
export const configPath = (dir: string): string => join(dir, `${CONFIG_FILE_NAME}.json`);

/**
 * Reads the configuration; the defaults when there is no file. Throws `UsageError` when it is invalid. Every command reads it,
 * so this uses no library; `config-store.ts` writes it, with the same schema, defaults and migrations.
 */
export function readConfig(dir: string): Config {
  const path = configPath(dir);
  const text = readText(path);
  if (text === undefined) return CONFIG_DEFAULTS;
  const stored = parse(text, path);
  if (!isRecord(stored)) throw new UsageError(`${path} does not hold a configuration of feather`, REPAIR_HINT);
  const content = migrate(stored);
  const fault = findConfigFault(content);
  if (fault !== undefined)
    throw new UsageError(`${path} does not hold a configuration of feather: ${fault}`, REPAIR_HINT);
  const { profiles, current, aliases } = { ...CONFIG_DEFAULTS, ...content };
  return { profiles, current, aliases };
}

/** Reads the person's short names of commands; none where the file is not valid, which the command that runs reports. */
export function readAliases(dir: string): Aliases {
  try {
    return readConfig(dir).aliases;
  } catch (error) {
    if (error instanceof UsageError) return {};
    throw error;
  }
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

/** Reads a file; undefined when there is none. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return undefined;
    throw new UsageError(
      `${path} cannot be read (${code ?? String(error)})`,
      "give it to yourself, or remove it and feather login",
    );
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not valid JSON`, REPAIR_HINT);
  }
}

/** Returns the content in the form of the current version. The file is only changed by the next write. */
function migrate(stored: Record<string, unknown>): Record<string, unknown> {
  const { [INTERNAL_PROPERTY]: internal, ...content } = stored;
  // `conf` stores the version next to the content; files of the first versions have none.
  const version = isRecord(internal) && isRecord(internal.migrations) ? internal.migrations.version : undefined;
  const steps = Object.entries(CONFIG_MIGRATIONS);
  const done = steps.findIndex(([name]) => name === version) + 1;
  return steps.slice(done).reduce((changed, [, step]) => step(changed), content);
}
