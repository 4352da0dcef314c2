import { timingSafeEqual } from "node:crypto";
import type { Logger } from "pino";
import {
  createSecretFile,
  readSecretFile,
  secretFile,
  secretFingerprint,
  secretsOfSetting,
} from "../../config/secret.ts";
import { type Settings, SettingsError } from "../../config/settings.ts";
import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import { opensSealed, resealAll } from "./sealed-columns.ts";

type Deps = {
  db: Database;
  settings: Pick<Settings, "FEATHER_SECRET" | "FEATHER_SECRET_PREVIOUS">;
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
  const remembered = await fingerprintIn(db);
  const candidates = candidatesFor(settings, dataDir, remembered !== undefined);
  const [first] = candidates;
  if (remembered === undefined) {
    const right = await firstThatOpens(db, candidates);
    if (right === undefined) throw otherSecret(settings, dataDir);
    await remember(db, right, clock.now());
    return right;
  }
  const same = findByFingerprint(candidates, remembered);
  if (same !== undefined) return same;
  const previous = settings.FEATHER_SECRET_PREVIOUS;
  const former = previous === undefined ? undefined : findByFingerprint(secretsOfSetting(previous), remembered);
  if (former === undefined || first === undefined) throw otherSecret(settings, dataDir);
  const endedCodes = await rotate(db, former, first);
  log.info("everything that was encrypted with the previous secret is encrypted with the new one now");
  if (endedCodes > 0)
    log.warn({ recovery_codes: endedCodes }, "recovery codes of second factors ended with the previous secret");
  return first;
}

function candidatesFor(settings: Deps["settings"], dataDir: string, mustExist: boolean): Uint8Array[] {
  if (settings.FEATHER_SECRET !== undefined) return secretsOfSetting(settings.FEATHER_SECRET);
  const kept = readSecretFile(dataDir);
  if (kept !== undefined) return [kept];
  if (mustExist) throw otherSecret(settings, dataDir);
  return [createSecretFile(dataDir)];
}

async function fingerprintIn(db: Database): Promise<Buffer | undefined> {
  return (await db.selectFrom("installation").select("secret_fingerprint").executeTakeFirst())?.secret_fingerprint;
}

async function remember(db: Database, secret: Uint8Array, now: Date): Promise<void> {
  await db
    .insertInto("installation")
    .values({ secret_fingerprint: secretFingerprint(secret), created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the first secret that decrypts what is stored: databases of earlier versions have no fingerprint. */
async function firstThatOpens(db: Database, candidates: readonly Uint8Array[]): Promise<Uint8Array | undefined> {
  for (const secret of candidates) if (await opensSealed(db, secret)) return secret;
  return undefined;
}

function findByFingerprint(secrets: readonly Uint8Array[], fingerprint: Buffer): Uint8Array | undefined {
  return secrets.find((secret) => timingSafeEqual(secretFingerprint(secret), fingerprint));
}

/**
 * Encrypts everything with the new secret, in one transaction. Recovery codes are hashes made with the old secret and
 * cannot be converted; they are deleted. Returns how many.
 */
async function rotate(db: Database, from: Uint8Array, to: Uint8Array): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await resealAll(trx, from, to);
    const ended = await trx.deleteFrom("recovery_codes").where("used_at", "is", null).executeTakeFirst();
    await trx
      .updateTable("installation")
      .set({ secret_fingerprint: secretFingerprint(to) })
      .execute();
    return Number(ended.numDeletedRows);
  });
}

function otherSecret(settings: Deps["settings"], dataDir: string): SettingsError {
  const path = secretFile(dataDir);
  const given = settings.FEATHER_SECRET === undefined ? path : "FEATHER_SECRET";
  const previous =
    settings.FEATHER_SECRET_PREVIOUS === undefined
      ? "To change the secret, set FEATHER_SECRET to the new one and FEATHER_SECRET_PREVIOUS to the former (or to the content of the former secret.key) for one start."
      : "FEATHER_SECRET_PREVIOUS is not it either.";
  return new SettingsError(
    `The database was made with another secret than ${given} holds, so what is encrypted in it, such as keys of ` +
      `backends and second factors, could not be read. Restore ${path} from the backup that belongs to this database, ` +
      `or set FEATHER_SECRET to the secret it was made with. ${previous} If the secret is lost, ` +
      "`npx node packages/server/src/commands/forget-secret.ts` deletes what it encrypted.",
  );
}
