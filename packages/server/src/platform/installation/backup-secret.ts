import { mkdirSync, writeFileSync } from "node:fs";
import type { BackupSecret } from "../core/db/backup/index.ts";
import type { Database } from "../core/db/connect.ts";
import { SettingsError } from "../core/settings.ts";
import type { InstallationSettings } from "./installation.settings.ts";
import { fingerprintSecret, parseSecretSetting, readSecretFile, secretFilePath } from "./secret.ts";

type Options = { settings: InstallationSettings; dataDir: string };

/**
 * Returns the secret for a backup of the database. Contains the secret itself if it is stored in secret.key; if operators
 * set it, contains its fingerprint only.
 */
export async function readBackupSecret(db: Database, { settings, dataDir }: Options): Promise<BackupSecret> {
  const row = await db.selectFrom("installation").select("secret_fingerprint").executeTakeFirst();
  const fingerprint = row?.secret_fingerprint.toString("hex") ?? null;
  const secret = settings.secret === undefined ? readSecretFile(dataDir) : undefined;
  const isOfDatabase = secret !== undefined && matches(fingerprint, secret);
  return { fingerprint, key: isOfDatabase ? Buffer.from(secret).toString("hex") : null };
}

/**
 * Returns whether secret.key must be written so that a restored database is readable. Throws a SettingsError, before
 * anything is changed, if the server could not start with its present secret.
 */
export function mustWriteSecret(secret: BackupSecret, { settings, dataDir }: Options): boolean {
  const path = secretFilePath(dataDir);
  if (settings.secret !== undefined) {
    const known = [settings.secret, settings.previousSecret ?? settings.secret].flatMap(parseSecretSetting);
    if (known.some((candidate) => matches(secret.fingerprint, candidate))) return false;
    throw new SettingsError(
      "The backup was made with another secret than FEATHER_SECRET, so what is encrypted in it could not be read. " +
        (secret.key === null
          ? "Set FEATHER_SECRET to the secret of that server"
          : "Leave FEATHER_SECRET out, since the backup holds its secret") +
        ", or set FEATHER_SECRET_PREVIOUS to it to change the secret at the next start.",
    );
  }
  const present = readSecretFile(dataDir);
  if (present !== undefined) {
    if (matches(secret.fingerprint, present)) return false;
    throw new SettingsError(
      `${path} holds another secret than the backup was made with. Move that file away, or set FEATHER_DATA_DIR to ` +
        "another folder.",
    );
  }
  if (secret.key !== null) return true;
  if (secret.fingerprint === null) return false;
  throw new SettingsError(
    "The backup does not hold the secret that it was made with. Set FEATHER_SECRET to the secret of that server, or put its " +
      "secret.key into the data folder.",
  );
}

/** Writes the secret of a backup to the data folder. Fails if the folder has another secret. */
export function writeSecretFile(dataDir: string, key: string): void {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(secretFilePath(dataDir), key, { flag: "wx", mode: 0o600, flush: true });
}

/** Databases of early versions do not store the fingerprint of their secret, so any secret may be theirs. */
const matches = (fingerprint: string | null, secret: Uint8Array): boolean =>
  fingerprint === null || fingerprintSecret(secret).toString("hex") === fingerprint;
