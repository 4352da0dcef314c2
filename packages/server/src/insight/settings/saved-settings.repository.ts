import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";

/** A value that an admin saved for a setting; null where it was removed again. */
export type SavedSetting = {
  name: string;
  value: string | null;
  /** The value before it; null for secrets, and where none was saved. */
  previousValue: string | null;
  savedAt: Date;
  /** The e-mail address of the admin; null for an account that is deleted. */
  savedBy: string | null;
};

/** A value to save; null removes the saved one. */
export type SettingChange = { name: string; value: string | null; isSecret: boolean };

type Deps = { db: Database; savedSettingsSealer: Sealer };

/** Reads and writes the values that admins saved for settings. */
export function createSavedSettingsRepository(deps: Deps) {
  return bind(deps, { list: listSavedSettings, save: saveSetting });
}

export type SavedSettingsRepository = ReturnType<typeof createSavedSettingsRepository>;

/** Returns the saved values by the names of settings, which a server reads when it starts. */
export async function readSavedValues(deps: Deps): Promise<ReadonlyMap<string, string>> {
  const saved = await listSavedSettings(deps);
  return new Map(saved.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const])));
}

/** Removes a saved value, by the operator's hand. Returns whether there was one. */
export async function removeSavedValue(db: Database, name: string, now: Date): Promise<boolean> {
  const removed = await db
    .updateTable("saved_settings")
    .set((eb) => ({
      value: null,
      sealed_value: null,
      previous_value: eb.ref("value"),
      saved_at: now,
      saved_by: null,
    }))
    .where("name", "=", name)
    .where((eb) => eb.or([eb("value", "is not", null), eb("sealed_value", "is not", null)]))
    .executeTakeFirst();
  return removed.numUpdatedRows > 0n;
}

async function listSavedSettings({ db, savedSettingsSealer }: Deps, trx: Database = db): Promise<SavedSetting[]> {
  const rows = await trx
    .selectFrom("saved_settings")
    .leftJoin("users", "users.id", "saved_settings.saved_by")
    .selectAll("saved_settings")
    .select("users.email")
    .orderBy("saved_settings.name")
    .execute();
  return rows.map(({ name, value, sealed_value: sealed, previous_value: previousValue, saved_at: savedAt, email }) => ({
    name,
    value: sealed === null ? value : savedSettingsSealer.open(sealed),
    previousValue,
    savedAt,
    savedBy: email,
  }));
}

async function saveSetting(
  { savedSettingsSealer }: Deps,
  { name, value, isSecret }: SettingChange,
  { now, userId }: { now: Date; userId: string },
  trx: Database,
): Promise<void> {
  const row = {
    value: isSecret ? null : value,
    sealed_value: isSecret && value !== null ? savedSettingsSealer.seal(value) : null,
    saved_at: now,
    saved_by: userId,
  };
  await trx
    .insertInto("saved_settings")
    .values({ name, ...row })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((eb) => ({ ...row, previous_value: eb.ref("saved_settings.value") })),
    )
    .execute();
}
