import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { Sealer } from "../../../platform/core/secrets/sealing.ts";
import type { RandomBytes } from "../../../platform/core/secrets/secrets.ts";
import { wrongCode } from "../auth.errors.ts";
import { secondFactorAddedMail, secondFactorRemovedMail } from "../security.mails.ts";
import type { RecoveryCodes } from "./recovery-codes.ts";
import type { SecondFactorChanges } from "./second-factor-changes.ts";

const PERIOD_MS = 30_000;
const SECRET_BYTES = 20;

type Deps = {
  db: Database;
  sealer: Sealer;
  recoveryCodes: RecoveryCodes;
  changes: SecondFactorChanges;
  clock: Clock;
  productName: string;
  random?: RandomBytes;
};

/** Creates the use cases of authenticator apps (RFC 6238) as second factor. */
export function createTotpUseCases(deps: Deps) {
  return {
    ...bind(deps, {
      consumeCode,
      begin: beginTotp,
      confirm: confirmTotp,
      disable: disableTotp,
    }),
    remove: removeTotp,
  };
}

/** Sets up and checks authenticator apps. */
export type TotpUseCases = ReturnType<typeof createTotpUseCases>;

function createGenerator(deps: Deps, secret: Uint8Array, label: string): TOTP {
  const { productName } = deps;
  const bytes = Uint8Array.from(secret);
  return new TOTP({
    issuer: productName,
    label,
    secret: new Secret({ buffer: bytes.buffer }),
    period: PERIOD_MS / 1000,
  });
}

/** Returns the time step of a code, or null if it is wrong. Clocks may differ by one step. */
function findTimeStep(deps: Deps, sealed: Buffer, code: string): number | null {
  const { sealer, clock } = deps;
  const now = clock.now().getTime();
  const secret = Buffer.from(sealer.open(sealed), "base64");
  const delta = createGenerator(deps, secret, "").validate({
    token: code.replaceAll(/\s/g, ""),
    timestamp: now,
    window: 1,
  });
  return delta === null ? null : Math.floor(now / PERIOD_MS) + delta;
}

/** Consumes a code of the app. Each code works once: of several concurrent calls, one succeeds. */
async function consumeTimeStep(
  deps: Deps,
  userId: string,
  sealed: Buffer,
  code: string,
  trx: Database,
): Promise<boolean> {
  const step = findTimeStep(deps, sealed, code);
  if (step === null) return false;
  const { numUpdatedRows } = await trx
    .updateTable("users")
    .set({ totp_last_step: step })
    .where("id", "=", userId)
    .where("totp_last_step", "<", step)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Consumes a code of the app or a recovery code. Returns whether it was valid. */
async function consumeCode(deps: Deps, userId: string, code: string, trx: Database): Promise<boolean> {
  const { recoveryCodes } = deps;
  const isRecoveryCode = !/^\s*\d{3}\s*\d{3}\s*$/.test(code);
  if (isRecoveryCode) return recoveryCodes.consume(userId, code, trx);
  const user = await trx
    .selectFrom("users")
    .select(["sealed_totp_secret", "totp_enabled_at"])
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!user?.sealed_totp_secret || !user.totp_enabled_at) return false;
  return consumeTimeStep(deps, userId, user.sealed_totp_secret, code, trx);
}

async function removeTotp(userId: string, trx: Database): Promise<void> {
  await trx
    .updateTable("users")
    .set({ totp_enabled_at: null, sealed_totp_secret: null, totp_last_step: 0 })
    .where("id", "=", userId)
    .execute();
}

/** Generates a secret for the app. It takes effect when a code is confirmed. Throws 409 if one is in effect, and 403 for an unconfirmed address. */
async function beginTotp(deps: Deps, userId: string, email: string): Promise<{ secret: string; uri: string }> {
  const { db, sealer, random = randomBytes } = deps;
  const bytes = Buffer.from(random(SECRET_BYTES));
  const updated = await db
    .updateTable("users")
    .set({ sealed_totp_secret: sealer.seal(bytes.toString("base64")) })
    .where("id", "=", userId)
    .where("totp_enabled_at", "is", null)
    .returning("email_verified_at")
    .executeTakeFirst();
  if (!updated) throw errors.auth.totpEnabled();
  if (updated.email_verified_at === null) throw errors.emailNotVerified();
  const totp = createGenerator(deps, bytes, email);
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** Enables the app with a first code. Returns recovery codes if the user had none left. Throws 400 for a wrong code. */
function confirmTotp(deps: Deps, actor: SignedInActor, code: string): Promise<string[]> {
  return deps.db.transaction().execute(async (trx) => {
    const { userId } = actor;
    const user = await deps.changes.lockUser(userId, trx);
    if (!user.sealed_totp_secret || user.totp_enabled_at) throw errors.auth.totpNotBegun();
    if (!(await consumeTimeStep(deps, userId, user.sealed_totp_secret, code, trx)))
      throw errors.auth.wrongCode("This code is wrong. Look at the clock of your device, and take the next one.", {
        status: 400,
        param: "code",
      });
    await trx.updateTable("users").set({ totp_enabled_at: deps.clock.now() }).where("id", "=", userId).execute();
    const notice = { template: secondFactorAddedMail, values: {} };
    return deps.changes.handleAdded(actor, { notice, action: "account.enable_totp", target: userId }, trx);
  });
}

/** Disables the app with one of its codes or a recovery code. Throws 401 for a wrong code. */
function disableTotp(deps: Deps, actor: SignedInActor, code: string): Promise<void> {
  return deps.db.transaction().execute(async (trx) => {
    const { userId } = actor;
    const user = await deps.changes.lockUser(userId, trx);
    if (!user.totp_enabled_at || !(await consumeCode(deps, userId, code, trx))) throw wrongCode();
    await removeTotp(userId, trx);
    const notice = { template: secondFactorRemovedMail, values: {} };
    await deps.changes.handleRemoved(actor, { notice, action: "account.disable_totp", target: userId }, trx);
  });
}
