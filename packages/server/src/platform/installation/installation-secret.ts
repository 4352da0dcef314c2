import { timingSafeEqual } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import { SettingsError } from "../core/settings.ts";
import type { InstallationSettings } from "./installation.settings.ts";
import { canDecryptSealed, reencryptAll } from "./sealed-columns.ts";
import { createSecretFile, fingerprintSecret, parseSecretSetting, readSecretFile, secretFilePath } from "./secret.ts";

type Deps = {
  db: Database;
  settings: InstallationSettings;
  dataDir: string;
  clock: Clock;
  log: Pick<Logger, "info" | "warn">;
};

/**
 * Returns the secret of the installation, which encrypts stored credentials and signs tokens. It comes from the
 * settings, or is created at the first start and stored in the data folder. The database stores its fingerprint. Throws
 * a SettingsError for another secret, unless FEATHER_SECRET_PREVIOUS is the stored one: then everything is encrypted
 * again with the new secret.
 */
export async function openInstallationSecret({ db, settings, dataDir, clock, log }: Deps): Promise<Uint8Array> {
  const storedFingerprint = await readFingerprint(db);
  const candidates = readCandidates(settings, dataDir, storedFingerprint !== undefined);
  const [first] = candidates;
  if (storedFingerprint === undefined) {
    const matchingSecret = await findDecryptingSecret(db, candidates);
    if (matchingSecret === undefined) throw secretMismatch(settings, dataDir);
    await storeFingerprint(db, matchingSecret, clock.now());
    const stored = await readFingerprint(db); // another server may have stored that of its secret meanwhile
    if (stored === undefined || findByFingerprint([matchingSecret], stored) === undefined)
      throw secretMismatch(settings, dataDir);
    return matchingSecret;
  }
  const currentSecret = findByFingerprint(candidates, storedFingerprint);
  if (currentSecret !== undefined) return currentSecret;
  const previous = settings.previousSecret;
  const previousSecret =
    previous === undefined ? undefined : findByFingerprint(parseSecretSetting(previous), storedFingerprint);
  if (previousSecret === undefined || first === undefined) throw secretMismatch(settings, dataDir);
  const deletedCodes = await rotateSecret(db, previousSecret, first);
  log.info("everything that was encrypted with the previous secret is encrypted with the new one now");
  if (deletedCodes > 0)
    log.warn({ recovery_codes: deletedCodes }, "recovery codes of second factors ended with the previous secret");
  return first;
}

function readCandidates(settings: Deps["settings"], dataDir: string, mustExist: boolean): Uint8Array[] {
  if (settings.secret !== undefined) return parseSecretSetting(settings.secret);
  const fileSecret = readSecretFile(dataDir);
  if (fileSecret !== undefined) return [fileSecret];
  if (mustExist) throw secretMismatch(settings, dataDir);
  return [createSecretFile(dataDir)];
}

async function readFingerprint(db: Database): Promise<Buffer | undefined> {
  return (await db.selectFrom("installation").select("secret_fingerprint").executeTakeFirst())?.secret_fingerprint;
}

async function storeFingerprint(db: Database, secret: Uint8Array, now: Date): Promise<void> {
  await db
    .insertInto("installation")
    .values({ secret_fingerprint: fingerprintSecret(secret), created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Returns the first secret that decrypts the stored values. Needed for databases of earlier versions, which have no
 * fingerprint.
 */
async function findDecryptingSecret(db: Database, candidates: readonly Uint8Array[]): Promise<Uint8Array | undefined> {
  for (const secret of candidates) if (await canDecryptSealed(db, secret)) return secret;
  return undefined;
}

function findByFingerprint(secrets: readonly Uint8Array[], fingerprint: Buffer): Uint8Array | undefined {
  return secrets.find((secret) => timingSafeEqual(fingerprintSecret(secret), fingerprint));
}

/**
 * Encrypts all stored values with the new secret, in one transaction. Recovery codes are hashes made with the old secret
 * and cannot be converted, so they are deleted. Returns how many were deleted.
 */
async function rotateSecret(db: Database, from: Uint8Array, to: Uint8Array): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await reencryptAll(trx, from, to);
    const deleted = await trx.deleteFrom("recovery_codes").where("used_at", "is", null).executeTakeFirst();
    await trx
      .updateTable("installation")
      .set({ secret_fingerprint: fingerprintSecret(to) })
      .execute();
    return Number(deleted.numDeletedRows);
  });
}

function secretMismatch(settings: Deps["settings"], dataDir: string): SettingsError {
  const path = secretFilePath(dataDir);
  const source = settings.secret === undefined ? path : "FEATHER_SECRET";
  const previous =
    settings.previousSecret === undefined
      ? "To change the secret, set FEATHER_SECRET to the new one and FEATHER_SECRET_PREVIOUS to the former (or to the content of the former secret.key) for one start."
      : "FEATHER_SECRET_PREVIOUS is not it either.";
  return new SettingsError(
    `The database was made with another secret than ${source} holds, so what is encrypted in it, such as keys of ` +
      `backends and second factors, could not be read. Restore ${path} from the backup that belongs to this database, ` +
      `or set FEATHER_SECRET to the secret it was made with. ${previous} If the secret is lost, ` +
      "`npx node packages/server/src/commands/discard-secret.ts` deletes what it encrypted.",
  );
}
