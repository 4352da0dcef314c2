import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, notFound, unauthorized } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import { hashSecret } from "../../shared/secrets.ts";
import type { Audit } from "../audit/audit.ts";
import { challengeEnded, passkeyCounter, passkeysUnavailable, wrongPasskey } from "./identity.errors.ts";
import type { OneTimeTokens } from "./one-time-tokens.ts";
import type { PasskeyRow, PasskeysRepository } from "./passkeys.repository.ts";
import type { RelyingParty } from "./relying-party.ts";
import type { SecondFactorChanges } from "./second-factor-changes.ts";
import {
  type Assertion,
  type Attestation,
  CHALLENGE_TTL_MS,
  type CreationOptions,
  creationOptions,
  type RequestOptions,
  requestOptions,
  signedSecret,
  userHandleOf,
  verifyAssertion,
  verifyAttestation,
} from "./webauthn.ts";

const MAX_PASSKEYS = 20;

type Deps = {
  db: Database;
  tokens: OneTimeTokens;
  passkeys: PasskeysRepository;
  changes: SecondFactorChanges;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  /** Null if browsers allow no passkeys at the public URL. */
  relyingParty: RelyingParty | null;
};

/** Creates the use cases that register, list, remove and verify passkeys. */
export function createPasskeys({ db, tokens, passkeys, changes, audit, clock, ids, relyingParty }: Deps) {
  function site(): RelyingParty {
    if (relyingParty === null) throw passkeysUnavailable();
    return relyingParty;
  }

  /** Stores the use of a passkey whose signature is valid. Throws `passkey_counter` if its counter did not increase. */
  async function count(
    row: PasskeyRow,
    { signCount, backedUp }: { signCount: number; backedUp: boolean },
    trx: Database,
  ) {
    const counts = signCount > 0 || row.sign_count > 0;
    if (counts && signCount <= row.sign_count) throw passkeyCounter();
    const used = { sign_count: signCount, backed_up: backedUp, last_used_at: clock.now() };
    await passkeys.markUsed(row.id, used, trx);
  }

  return {
    isAvailable: relyingParty !== null,

    list: (userId: string) => passkeys.list(userId),

    /** Returns registration options for the browser, bound to the session of the actor. */
    async beginRegistration(actor: SignedIn, account: { email: string; name: string }): Promise<CreationOptions> {
      const rp = site();
      const existing = await passkeys.list(actor.userId);
      refuseMoreThan(MAX_PASSKEYS, existing.length);
      const data = { boundTo: sessionOf(actor) };
      const secret = await tokens.issue("passkey_registration", actor.userId, CHALLENGE_TTL_MS, data);
      return creationOptions(rp, { id: actor.userId, ...account }, existing, secret);
    },

    /** Adds a passkey. Returns it, and recovery codes if the user had none left. */
    async register(actor: SignedIn, { name, credential }: { name: string; credential: Attestation }) {
      const rp = site();
      const { userId } = actor;
      const secret = signedSecret(credential.response.clientDataJSON);
      const challenge = secret === null ? null : await tokens.use(secret, "passkey_registration");
      if (secret === null || challenge?.userId !== userId || challenge.data.boundTo !== sessionOf(actor))
        throw challengeEnded(400);
      const made = await verifyAttestation(rp, secret, credential);
      if (made === null) throw wrongPasskey(400);
      return db.transaction().execute(async (trx) => {
        await changes.lock(userId, trx);
        refuseMoreThan(MAX_PASSKEYS, (await passkeys.list(userId, trx)).length);
        const row = await passkeys.insert(
          { ...made, id: ids.next("psk"), user_id: userId, name: name.trim(), created_at: clock.now() },
          trx,
        );
        if (!row) throw new AppError(409, "passkey_registered", "This passkey is registered already.");
        const text = `The passkey "${row.name}" can sign in to your account from now on, and logging in with a password also asks for a second factor.`;
        const notice = { subject: "A passkey was added to your account", text };
        const details = { name: row.name };
        const change = { notice, action: "account.add_passkey", target: row.id, details };
        return { row, recoveryCodes: await changes.added(actor, change, trx) };
      });
    },

    rename: (actor: SignedIn, id: string, name: string): Promise<PasskeyRow> =>
      db.transaction().execute(async (trx) => {
        const row = await passkeys.rename(actor.userId, id, name.trim(), trx);
        if (!row) throw noSuchPasskey();
        await audit.record({ actor, action: "account.rename_passkey", target: id, details: { name: row.name } }, trx);
        return row;
      }),

    remove: (actor: SignedIn, id: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await changes.lock(actor.userId, trx);
        const row = await passkeys.remove(actor.userId, id, trx);
        if (!row) throw noSuchPasskey();
        const notice = {
          subject: "A passkey was removed from your account",
          text: `The passkey "${row.name}" can no longer sign in to your account.`,
        };
        const details = { name: row.name };
        await changes.removed(actor, { notice, action: "account.remove_passkey", target: id, details }, trx);
      }),

    removeAll: (userId: string, trx: Database) => passkeys.removeAll(userId, trx),

    /** Returns options for signing in with any passkey, bound to the browser that holds the secret. */
    async beginSignIn(browserSecret: string): Promise<RequestOptions> {
      const rp = site();
      const data = { boundTo: hashText(browserSecret) };
      return requestOptions(rp, "any", await tokens.issue("passkey_sign_in", null, CHALLENGE_TTL_MS, data));
    },

    /**
     * Returns the id of the passkey's user. Throws 401 if the challenge has expired or belongs to another browser, if the
     * signature is wrong, or if the device did not verify its user. `onRefused` is called for a known passkey.
     */
    async signIn(
      answer: Assertion,
      browserSecret: string | undefined,
      failed: (userId: string, code: string) => Promise<void>,
    ): Promise<string> {
      const rp = site();
      const secret = signedSecret(answer.response.clientDataJSON);
      const challenge = secret === null ? null : await tokens.use(secret, "passkey_sign_in");
      if (secret === null || browserSecret === undefined || challenge?.data.boundTo !== hashText(browserSecret))
        throw challengeEnded(401);
      let owner: string | null = null;
      try {
        return await db.transaction().execute(async (trx) => {
          const row = await passkeys.lockByCredential(Buffer.from(answer.id, "base64url"), trx);
          if (!row) throw wrongPasskey(401);
          owner = row.user_id;
          if (answer.response.userHandle?.replace(/=+$/, "") !== userHandleOf(row.user_id)) throw wrongPasskey(401);
          const verified = await verifyAssertion(rp, row, secret, answer);
          if (verified === null) throw wrongPasskey(401);
          if (!verified.userVerified)
            throw new AppError(
              401,
              "user_verification_required",
              "Unlock the passkey with a PIN, fingerprint or face, or log in with your password first.",
            );
          await count(row, verified, trx);
          return row.user_id;
        });
      } catch (error) {
        if (owner !== null && error instanceof AppError) await failed(owner, error.code);
        throw error;
      }
    },

    /** Returns options for a passkey as second factor; null if the user has none or passkeys are unavailable. */
    async questionFor(userId: string, secret: string): Promise<RequestOptions | null> {
      const own = await passkeys.list(userId);
      return relyingParty === null || own.length === 0 ? null : requestOptions(relyingParty, own, secret);
    },

    /** Verifies a passkey as second factor. Throws 401 if it is not the user's or its signature is wrong. */
    async take(userId: string, secret: string, answer: Assertion, trx: Database): Promise<void> {
      const row = await passkeys.lockByCredential(Buffer.from(answer.id, "base64url"), trx);
      const verified = row?.user_id === userId ? await verifyAssertion(site(), row, secret, answer) : null;
      if (!row || verified === null) throw wrongPasskey(401);
      await count(row, verified, trx);
    },
  };
}

/** Registers and verifies passkeys. */
export type Passkeys = ReturnType<typeof createPasskeys>;

function sessionOf({ credential }: SignedIn): string {
  if (credential.type !== "session") throw unauthorized("This call needs a signed-in session.");
  return credential.id;
}

function hashText(secret: string): string {
  return hashSecret(secret).toString("base64url");
}

function refuseMoreThan(most: number, present: number): void {
  if (present >= most)
    throw new AppError(409, "too_many_passkeys", `An account has at most ${most} passkeys. Remove one first.`);
}

function noSuchPasskey(): AppError {
  return notFound("There is no passkey with this id.", "passkeys.not_found");
}
