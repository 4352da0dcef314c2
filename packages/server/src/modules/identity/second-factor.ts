import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Audit } from "../audit/audit.ts";
import { challengeEnded, wrongCode } from "./identity.errors.ts";
import type { IdentityRepository } from "./identity.repository.ts";
import type { OneTimeTokens } from "./one-time-tokens.ts";
import type { Passkeys } from "./passkeys.usecases.ts";
import type { RecoveryCodes } from "./recovery-codes.ts";
import type { SecondFactorChanges } from "./second-factor-changes.ts";
import type { SendSecurityNotice } from "./security-notices.ts";
import type { Totp } from "./totp.ts";
import { type Assertion, CHALLENGE_TTL_MS, type RequestOptions } from "./webauthn.ts";

const TRIES = { perToken: 5, perHour: 20 };

/** Asks for one of the user's second factors during sign-in. `challenge` is a one-time token. */
export type Question = {
  hasTotp: boolean;
  challenge: string;
  expiresAt: Date;
  /** Options for a passkey; null if the user has none or passkeys are unavailable. */
  passkey: RequestOptions | null;
};
/** The answer to a challenge: a code or a passkey. */
export type Answer = { challenge: string; code?: string; passkey?: Assertion };
/** Hooks around the check of an answer: `beforeCode` may throw before a code is checked. */
export type AnswerGuard = {
  beforeCode(userId: string): Promise<void>;
  wrong(userId: string, code: string): Promise<void>;
};

type Deps = {
  db: Database;
  tokens: OneTimeTokens;
  totp: Totp;
  passkeys: Passkeys;
  recoveryCodes: RecoveryCodes;
  changes: SecondFactorChanges;
  usersRepository: IdentityRepository;
  audit: Audit;
  notify: SendSecurityNotice;
  clock: Clock;
};

/** Creates the use cases of the second factor: challenge and check during sign-in, and reset by an admin. */
export function createSecondFactor(deps: Deps) {
  const { db, tokens, totp, passkeys, recoveryCodes, changes, usersRepository, audit, notify, clock } = deps;

  async function take(userId: string, { challenge, code, passkey }: Answer, trx: Database): Promise<void> {
    if (passkey !== undefined) return passkeys.take(userId, challenge, passkey, trx);
    if (!(await totp.take(userId, code ?? "", trx))) throw wrongCode();
  }

  return {
    /** Returns a challenge for a user who passed the first factor; null if they have no second one. */
    async ask(user: { id: string; totp_enabled_at: Date | null; has_passkey: boolean }): Promise<Question | null> {
      const hasTotp = user.totp_enabled_at !== null;
      if (!hasTotp && !user.has_passkey) return null;
      const expiresAt = new Date(clock.now().getTime() + CHALLENGE_TTL_MS);
      const challenge = await tokens.issue("second_factor", user.id, CHALLENGE_TTL_MS);
      return { hasTotp, challenge, expiresAt, passkey: await passkeys.questionFor(user.id, challenge) };
    },

    /** Returns the id of the user. A correct answer consumes the challenge; too many wrong ones end it. Throws 401. */
    async answer(given: Answer, guard: AnswerGuard): Promise<string> {
      const asked = await tokens.ownerOf(given.challenge, "second_factor");
      if (asked !== null && given.code !== undefined) await guard.beforeCode(asked);
      const userId = await tokens.attempt(given.challenge, "second_factor", TRIES);
      if (userId === null) throw challengeEnded(401);
      try {
        await db.transaction().execute(async (trx) => {
          if (!(await tokens.use(given.challenge, "second_factor", trx))) throw wrongCode();
          await take(userId, given, trx);
        });
        return userId;
      } catch (error) {
        if (error instanceof AppError) await guard.wrong(userId, error.code);
        throw error;
      }
    },

    /** Removes all second factors of another user and revokes their sessions. Returns whether there was one. */
    reset: (actor: SignedIn, userId: string, reason: string): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const user = await changes.lock(userId, trx);
        if (user.totp_enabled_at === null && !user.has_passkey) return false;
        await totp.remove(userId, trx);
        await passkeys.removeAll(userId, trx);
        await recoveryCodes.remove(userId, trx);
        await usersRepository.revokeOtherSessions(userId, null, clock.now(), trx);
        const text = `An admin took the second factor of your account away, with all passkeys, and ended its sessions. Reason: ${reason}\n\nSet up a new one when you log in.`;
        await notify(user.email, { subject: "The second factor of your account was reset", text }, trx);
        await audit.record({ actor, action: "users.reset_second_factor", target: userId, details: { reason } }, trx);
        return true;
      }),
  };
}

/** Challenges and checks second factors. */
export type SecondFactor = ReturnType<typeof createSecondFactor>;
