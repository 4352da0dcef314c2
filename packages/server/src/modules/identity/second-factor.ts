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

/** The question of a log-in for one of the account's factors. */
export type Question = {
  hasTotp: boolean;
  challenge: string;
  expiresAt: Date;
  /** Options for answering with a passkey; null where there is none to use. */
  passkey: RequestOptions | null;
};
export type Answer = { challenge: string; code?: string; passkey?: Assertion };
/** What surrounds an answer: may refuse a code before it is looked at, and is told of wrong answers. */
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
  identity: IdentityRepository;
  audit: Audit;
  notify: SendSecurityNotice;
  clock: Clock;
};

/** The second factor as a log-in asks for it, and its reset by an admin. */
export function createSecondFactor(deps: Deps) {
  const { db, tokens, totp, passkeys, recoveryCodes, changes, identity, audit, notify, clock } = deps;

  async function take(userId: string, { challenge, code, passkey }: Answer, trx: Database): Promise<void> {
    if (passkey !== undefined) return passkeys.take(userId, challenge, passkey, trx);
    if (!(await totp.take(userId, code ?? "", trx))) throw wrongCode();
  }

  return {
    /** A question for somebody who proved the first factor; null for accounts without a second one. */
    async ask(user: { id: string; totp_enabled_at: Date | null; has_passkey: boolean }): Promise<Question | null> {
      const hasTotp = user.totp_enabled_at !== null;
      if (!hasTotp && !user.has_passkey) return null;
      const expiresAt = new Date(clock.now().getTime() + CHALLENGE_TTL_MS);
      const challenge = await tokens.issue("second_factor", user.id, CHALLENGE_TTL_MS);
      return { hasTotp, challenge, expiresAt, passkey: await passkeys.questionFor(user.id, challenge) };
    },

    /** Returns who answered. The question ends after some wrong answers, and with the right one. */
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

    /** Takes every second factor of somebody else away, who lost them. Returns whether there was one. */
    reset: (actor: SignedIn, userId: string, reason: string): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const user = await changes.lock(userId, trx);
        if (user.totp_enabled_at === null && !user.has_passkey) return false;
        await totp.remove(userId, trx);
        await passkeys.removeAll(userId, trx);
        await recoveryCodes.remove(userId, trx);
        await identity.revokeOtherSessions(userId, null, clock.now(), trx);
        const text = `An admin took the second factor of your account away, with all passkeys, and ended its sessions. Reason: ${reason}\n\nSet up a new one when you log in.`;
        await notify(user.email, { subject: "The second factor of your account was reset", text }, trx);
        await audit.record({ actor, action: "users.reset_second_factor", target: userId, details: { reason } }, trx);
        return true;
      }),
  };
}

export type SecondFactor = ReturnType<typeof createSecondFactor>;
