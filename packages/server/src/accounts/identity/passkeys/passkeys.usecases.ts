import type { Audit } from "../../../platform/core/audit.ts";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { AppError, errors } from "../../../platform/core/errors/index.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import { hashSecret } from "../../../platform/core/secrets/secrets.ts";
import { challengeEnded, wrongPasskey } from "../auth.errors.ts";
import type { OneTimeTokens } from "../one-time-tokens.ts";
import type { SecondFactorChanges } from "../second-factors/second-factor-changes.ts";
import { passkeyAddedMail, passkeyRemovedMail } from "../security.mails.ts";
import type { PasskeyRow, PasskeysRepository } from "./passkeys.repository.ts";
import type { RelyingParty } from "./relying-party.ts";
import {
  type Assertion,
  type Attestation,
  CHALLENGE_TTL_MS,
  type CreationOptions,
  generateCreationOptions,
  generateRequestOptions,
  type RequestOptions,
  readSignedSecret,
  toUserHandle,
  verifyAssertion,
  verifyAttestation,
} from "./webauthn.ts";

const MAX_PASSKEYS = 20;

type Deps = {
  db: Database;
  tokens: OneTimeTokens;
  passkeysRepository: PasskeysRepository;
  changes: SecondFactorChanges;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  /** Null if browsers allow no passkeys at the public URL. */
  relyingParty: RelyingParty | null;
};

/** Creates the use cases that register, list, remove and verify passkeys. */
export function createPasskeyUseCases(deps: Deps) {
  return {
    ...bind(deps, {
      list: listPasskeys,
      beginRegistration,
      register: registerPasskey,
      rename: renamePasskey,
      remove: removePasskey,
      removeAll,
      beginSignIn,
      signIn,
      createSecondFactorOptions,
      verifySecondFactor,
    }),
    isAvailable: deps.relyingParty !== null,
  };
}

/** Registers and verifies passkeys. */
export type PasskeyUseCases = ReturnType<typeof createPasskeyUseCases>;

function requireRelyingParty(deps: Deps): RelyingParty {
  const { relyingParty } = deps;
  if (relyingParty === null) throw errors.passkeys.unavailable();
  return relyingParty;
}

/**
 * Stores the use of a passkey whose signature is valid, alone or after the password. After the password it may sign in
 * alone again. Throws `passkeys.counter` if its counter did not increase.
 */
async function recordUse(
  deps: Deps,
  row: PasskeyRow,
  { signCount, backedUp }: { signCount: number; backedUp: boolean },
  way: "alone" | "after password",
  trx: Database,
) {
  const { passkeysRepository, clock } = deps;
  const hasCounter = signCount > 0 || row.sign_count > 0;
  if (hasCounter && signCount <= row.sign_count) throw errors.passkeys.counter();
  const usage = { sign_count: signCount, backed_up: backedUp, last_used_at: clock.now() };
  const isProved = way === "after password";
  await passkeysRepository.markUsed(row.id, { ...usage, ...(isProved && { signs_in_alone: true }) }, trx);
}

function listPasskeys({ passkeysRepository }: Deps, userId: string) {
  return passkeysRepository.list(userId);
}

/** Returns registration options for the browser, bound to the session of the actor. */
async function beginRegistration(
  deps: Deps,
  actor: SignedInActor,
  account: { email: string; name: string },
): Promise<CreationOptions> {
  const { tokens, passkeysRepository } = deps;
  const rp = requireRelyingParty(deps);
  const existing = await passkeysRepository.list(actor.userId);
  refuseAboveLimit(MAX_PASSKEYS, existing.length);
  const data = { boundTo: requireSessionId(actor) };
  const secret = await tokens.issue("passkey_registration", actor.userId, CHALLENGE_TTL_MS, data);
  return generateCreationOptions(rp, { id: actor.userId, ...account }, existing, secret);
}

/** Adds a passkey. Returns it, and recovery codes if the user had none left. */
async function registerPasskey(
  deps: Deps,
  actor: SignedInActor,
  { name, credential }: { name: string; credential: Attestation },
) {
  const { db, tokens, passkeysRepository, changes, clock, ids } = deps;
  const rp = requireRelyingParty(deps);
  const { userId } = actor;
  const secret = readSignedSecret(credential.response.clientDataJSON);
  const challenge = secret === null ? null : await tokens.consume(secret, "passkey_registration");
  if (secret === null || challenge?.userId !== userId || challenge.data.boundTo !== requireSessionId(actor))
    throw challengeEnded(400);
  const newPasskey = await verifyAttestation(rp, secret, credential);
  if (newPasskey === null) throw wrongPasskey(400);
  return db.transaction().execute(async (trx) => {
    await changes.lockUser(userId, trx);
    refuseAboveLimit(MAX_PASSKEYS, (await passkeysRepository.list(userId, trx)).length);
    const row = await passkeysRepository.insert(
      { ...newPasskey, id: ids.next("psk"), user_id: userId, name: name.trim(), created_at: clock.now() },
      trx,
    );
    if (!row) throw errors.passkeys.registered();
    const notice = { template: passkeyAddedMail, values: { passkey: row.name } };
    const details = { name: row.name };
    const change = { notice, action: "account.add_passkey", target: row.id, details };
    return { row, recoveryCodes: await changes.handleAdded(actor, change, trx) };
  });
}

function renamePasskey(
  { db, passkeysRepository, audit }: Deps,
  actor: SignedInActor,
  id: string,
  name: string,
): Promise<PasskeyRow> {
  return db.transaction().execute(async (trx) => {
    const row = await passkeysRepository.rename(actor.userId, id, name.trim(), trx);
    if (!row) throw errors.passkeys.notFound();
    await audit.record({ actor, action: "account.rename_passkey", target: id, details: { name: row.name } }, trx);
    return row;
  });
}

function removePasskey({ db, passkeysRepository, changes }: Deps, actor: SignedInActor, id: string): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await changes.lockUser(actor.userId, trx);
    const row = await passkeysRepository.remove(actor.userId, id, trx);
    if (!row) throw errors.passkeys.notFound();
    const notice = { template: passkeyRemovedMail, values: { passkey: row.name } };
    const details = { name: row.name };
    await changes.handleRemoved(actor, { notice, action: "account.remove_passkey", target: id, details }, trx);
  });
}

function removeAll({ passkeysRepository }: Deps, userId: string, trx: Database) {
  return passkeysRepository.removeAll(userId, trx);
}

/** Returns options for signing in with any passkey, bound to the browser that holds the secret. */
async function beginSignIn(deps: Deps, browserSecret: string): Promise<RequestOptions> {
  const { tokens } = deps;
  const rp = requireRelyingParty(deps);
  const data = { boundTo: hashToBase64Url(browserSecret) };
  return generateRequestOptions(rp, "any", await tokens.issue("passkey_sign_in", null, CHALLENGE_TTL_MS, data));
}

/**
 * Returns the id of the passkey's user. Throws 401 if the challenge has expired or belongs to another browser, if the
 * signature is wrong, if the device did not verify its user, or if the passkey was not used with the password since that
 * was reset. `onRefused` is called for a known passkey.
 */
async function signIn(
  deps: Deps,
  assertion: Assertion,
  browserSecret: string | undefined,
  onRefused: (userId: string, code: string) => Promise<void>,
): Promise<string> {
  const { db, tokens, passkeysRepository } = deps;
  const rp = requireRelyingParty(deps);
  const secret = readSignedSecret(assertion.response.clientDataJSON);
  const challenge = secret === null ? null : await tokens.consume(secret, "passkey_sign_in");
  if (secret === null || browserSecret === undefined || challenge?.data.boundTo !== hashToBase64Url(browserSecret))
    throw challengeEnded(401);
  let ownerId: string | null = null;
  try {
    return await db.transaction().execute(async (trx) => {
      const row = await passkeysRepository.lockByCredential(Buffer.from(assertion.id, "base64url"), trx);
      if (!row) throw wrongPasskey(401);
      ownerId = row.user_id;
      if (assertion.response.userHandle?.replace(/=+$/, "") !== toUserHandle(row.user_id)) throw wrongPasskey(401);
      const verified = await verifyAssertion(rp, row, secret, assertion);
      if (verified === null) throw wrongPasskey(401);
      if (!verified.userVerified) throw errors.passkeys.userVerificationRequired();
      if (!row.signs_in_alone) throw errors.passkeys.passwordFirst();
      await recordUse(deps, row, verified, "alone", trx);
      return row.user_id;
    });
  } catch (error) {
    if (ownerId !== null && error instanceof AppError) await onRefused(ownerId, error.code);
    throw error;
  }
}

/** Returns options for a passkey as second factor; null if the user has none or passkeys are unavailable. */
async function createSecondFactorOptions(
  { passkeysRepository, relyingParty }: Deps,
  userId: string,
  secret: string,
): Promise<RequestOptions | null> {
  const ownPasskeys = await passkeysRepository.list(userId);
  return relyingParty === null || ownPasskeys.length === 0
    ? null
    : generateRequestOptions(relyingParty, ownPasskeys, secret);
}

/** Verifies a passkey as second factor. Throws 401 if it is not the user's or its signature is wrong. */
async function verifySecondFactor(
  deps: Deps,
  userId: string,
  secret: string,
  assertion: Assertion,
  trx: Database,
): Promise<void> {
  const { passkeysRepository } = deps;
  const row = await passkeysRepository.lockByCredential(Buffer.from(assertion.id, "base64url"), trx);
  const verified =
    row?.user_id === userId ? await verifyAssertion(requireRelyingParty(deps), row, secret, assertion) : null;
  if (!row || verified === null) throw wrongPasskey(401);
  await recordUse(deps, row, verified, "after password", trx);
}

function requireSessionId({ credential }: SignedInActor): string {
  if (credential.type !== "session") throw errors.unauthorized("This call needs a signed-in session.");
  return credential.id;
}

function hashToBase64Url(secret: string): string {
  return hashSecret(secret).toString("base64url");
}

function refuseAboveLimit(limit: number, count: number): void {
  if (count >= limit) throw errors.passkeys.limitReached({ limit });
}
