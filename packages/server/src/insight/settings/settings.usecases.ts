import { sql } from "kysely";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { SavedSettingsRepository, SettingChange } from "./saved-settings.repository.ts";

/** What the server knows about its settings. */
export type SettingsCatalog = {
  /** Returns a setting; null where none has this name. */
  find(name: string): { isEditable: boolean; isSecret: boolean } | null;
  /** Returns where the value in use comes from. */
  sourceOf(name: string): "environment" | "file" | "saved" | "default";
  /** Returns in sentences why the server could not start with these saved values; none where it could. */
  findProblems(saved: ReadonlyMap<string, string>): readonly string[];
};

type Deps = {
  db: Database;
  savedSettingsRepository: SavedSettingsRepository;
  catalog: SettingsCatalog;
  audit: Audit;
  clock: Clock;
  /** Starts the server again; null where something else has to. */
  restart: (() => void) | null;
};

/** Saves values of settings for the next start of the server, and starts it again, for admins. */
export function createSettingsAdministration(deps: Deps) {
  return bind(deps, { save: saveSettings, restart: restartServer });
}

export type SettingsAdministration = ReturnType<typeof createSettingsAdministration>;

/** Saves all values or none. Null removes a saved one. Throws `settings.*`. */
async function saveSettings(
  { db, savedSettingsRepository, catalog, audit, clock }: Deps,
  actor: SignedInActor,
  values: Readonly<Record<string, string | null>>,
): Promise<void> {
  const changes = Object.entries(values).map(([name, value]) => toChange(catalog, name, value));
  await db.transaction().execute(async (trx) => {
    // Two admins at once: each change is checked together with the other.
    await sql`lock table saved_settings in share row exclusive mode`.execute(trx);
    const before = new Map((await savedSettingsRepository.list(trx)).map(({ name, value }) => [name, value]));
    const changed = changes.filter(({ name, value }) => (before.get(name) ?? null) !== value);
    const after = new Map([...before, ...changed.map(({ name, value }) => [name, value] as const)]);
    const problems = catalog.findProblems(new Map([...after].flatMap(toSaved)));
    if (problems.length > 0)
      throw errors.settings.notValid({ problems: problems.join("; ") }, { param: "values", details: { problems } });
    for (const change of changed) {
      await savedSettingsRepository.save(change, { now: clock.now(), userId: actor.userId }, trx);
      const { name, value, isSecret } = change;
      const details = isSecret ? { is_set: value !== null } : { value, value_before: before.get(name) ?? null };
      await audit.record({ actor, action: "settings.save", target: name, details }, trx);
    }
  });
}

const toSaved = ([name, value]: readonly [string, string | null]) => (value === null ? [] : [[name, value] as const]);

function toChange(catalog: SettingsCatalog, name: string, value: string | null): SettingChange {
  const setting = catalog.find(name);
  if (setting === null) throw errors.settings.unknown({ name }, { param: "values" });
  if (!setting.isEditable) throw errors.settings.notEditable({ name }, { param: "values" });
  const source = catalog.sourceOf(name);
  const isElsewhere = source === "environment" || source === "file";
  // A saved value that the environment hides can be removed.
  if (isElsewhere && value !== null)
    throw errors.settings.setElsewhere(
      { name, place: source === "file" ? "feather.config.yaml" : "the environment" },
      { param: "values" },
    );
  return { name, value, isSecret: setting.isSecret };
}

/** Throws `settings.several_servers` where something else starts the server. */
async function restartServer({ restart, audit }: Deps, actor: SignedInActor): Promise<void> {
  if (restart === null) throw errors.settings.severalServers();
  await audit.record({ actor, action: "server.restart" });
  restart();
}
