import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type Conf from "conf";
import { UsageError } from "../errors.ts";
import { CONFIG_FILE_NAME, configPath, REPAIR_HINT, readConfig } from "./config-file.ts";
import {
  CONFIG_DEFAULTS,
  CONFIG_MIGRATIONS,
  CONFIG_SCHEMA,
  CONFIG_VERSION,
  type Config,
  DEFAULT_PROFILE,
  type Profile,
} from "./config-schema.ts";
import { withLock } from "./lock.ts";

/** Writes one profile; `undefined` removes it. File and folder are accessible to their owner only. */
export function writeProfile(dir: string, name: string, profile: Profile | undefined): Promise<void> {
  return updateConfig(dir, ({ profiles: { [name]: _, ...others }, current, ...rest }) => ({
    ...rest,
    profiles: profile === undefined ? others : { ...others, [name]: profile },
    current: profile === undefined && current === name ? DEFAULT_PROFILE : current,
  }));
}

/** Sets the profile that is used when none is named. */
export function setCurrentProfile(dir: string, name: string): Promise<void> {
  return updateConfig(dir, (config) => ({ ...config, current: name }));
}

/** Sets the words that a short name stands for; `undefined` removes the name. */
export function writeAlias(dir: string, name: string, words: readonly string[] | undefined): Promise<void> {
  return updateConfig(dir, ({ aliases: { [name]: _, ...others }, ...rest }) => ({
    ...rest,
    aliases: words === undefined ? others : { ...others, [name]: words },
  }));
}

/** Rewrites the file under a lock: two programs at once would lose each other's changes. */
async function updateConfig(dir: string, edit: (config: Config) => Config): Promise<void> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  chmodSync(dir, 0o700);
  await withLock(join(dir, "config.lock"), async () => {
    // Throws for an invalid file before anything is written.
    const next = edit(readConfig(dir));
    const store = await openStore(dir);
    store.set({ ...next });
    chmodSync(store.path, 0o600);
  });
}

/** Opens the file, migrated to the current version. Throws `UsageError` when its content is invalid. */
async function openStore(dir: string): Promise<Conf<Config>> {
  const { default: Conf } = await import("conf");
  try {
    return new Conf<Config>({
      projectName: "feather",
      projectVersion: CONFIG_VERSION,
      cwd: dir,
      configName: CONFIG_FILE_NAME,
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      schema: CONFIG_SCHEMA,
      defaults: CONFIG_DEFAULTS,
      migrations: Object.fromEntries(
        Object.entries(CONFIG_MIGRATIONS).map(([version, migrate]) => [
          version,
          (store: Conf<Config>) => {
            store.store = migrate(store.store) as Config;
          },
        ]),
      ),
    });
  } catch (error) {
    throw new UsageError(`${configPath(dir)}: ${error instanceof Error ? error.message : String(error)}`, REPAIR_HINT);
  }
}
