import type { Audit } from "../../../platform/core/audit.ts";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { AppError } from "../../../platform/core/errors/index.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import { challengeEnded, wrongCode } from "../auth.errors.ts";
import type { OneTimeTokens } from "../one-time-tokens.ts";
import type { PasskeyUseCases } from "../passkeys/passkeys.usecases.ts";
import { type Assertion, CHALLENGE_TTL_MS, type RequestOptions } from "../passkeys/webauthn.ts";
import type { RecoveryCodes } from "../second-factors/recovery-codes.ts";
import type { SecondFactorChanges } from "../second-factors/second-factor-changes.ts";
import type { TotpUseCases } from "../second-factors/totp.usecases.ts";
import { secondFactorResetMail } from "../security.mails.ts";
import type { UsersRepository } from "../users/users.repository.ts";

const ATTEMPT_LIMITS = { perToken: 5, perHour: 20 };

/** The request for one of the user's second factors during sign-in. `challenge` is a one-time token. */
export type SecondFactorChallenge = {
  hasTotp: boolean;
  challenge: string;
  expiresAt: Date;
  /** Options for a passkey; null if the user has none or passkeys are unavailable. */
  passkey: RequestOptions | null;
};
/** The answer to a challenge: a code or a passkey. */
export type SecondFactorAnswer = { challenge: string; code?: string; passkey?: Assertion };
/** Callbacks of the check of an answer. `beforeCode` runs before a code is checked, and may throw. */
export type AnswerHooks = {
  beforeCode(userId: string): Promise<void>;
  onWrongAnswer(userId: string, code: string): Promise<void>;
};

type Deps = {
  db: Database;
  tokens: OneTimeTokens;
  totp: TotpUseCases;
  passkeys: PasskeyUseCases;
  recoveryCodes: RecoveryCodes;
  changes: SecondFactorChanges;
  usersRepository: UsersRepository;
  audit: Audit;
  mail: Mail;
  clock: Clock;
};

/** Creates the use cases of the second factor: challenge and check during sign-in, and reset by an admin. */
export function createSecondFactorUseCases(deps: Deps) {
  return bind(deps, {
    createChallenge,
    verifyAnswer,
    reset: resetSecondFactor,
  });
}

/** Challenges and checks second factors. */
export type SecondFactorUseCases = ReturnType<typeof createSecondFactorUseCases>;

async function verifyFactor(
  deps: Deps,
  userId: string,
  { challenge, code, passkey }: SecondFactorAnswer,
  trx: Database,
): Promise<void> {
  const { totp, passkeys } = deps;
  if (passkey !== undefined) return passkeys.verifySecondFactor(userId, challenge, passkey, trx);
  if (!(await totp.consumeCode(userId, code ?? "", trx))) throw wrongCode();
}

/** Returns a challenge for a user who has passed the first factor; null if they have no second one. */
async function createChallenge(
  { tokens, passkeys, clock }: Deps,
  user: {
    id: string;
    totp_enabled_at: Date | null;
    has_passkey: boolean;
  },
): Promise<SecondFactorChallenge | null> {
  const hasTotp = user.totp_enabled_at !== null;
  if (!hasTotp && !user.has_passkey) return null;
  const expiresAt = new Date(clock.now().getTime() + CHALLENGE_TTL_MS);
  const challenge = await tokens.issue("second_factor", user.id, CHALLENGE_TTL_MS);
  return { hasTotp, challenge, expiresAt, passkey: await passkeys.createSecondFactorOptions(user.id, challenge) };
}

/**
 * Verifies the answer to a challenge, and returns the id of the user. A correct answer consumes the challenge, and too many
 * wrong ones end it. Throws 401 for a wrong answer.
 */
async function verifyAnswer(deps: Deps, answer: SecondFactorAnswer, hooks: AnswerHooks): Promise<string> {
  const { db, tokens } = deps;
  const ownerId = await tokens.findOwner(answer.challenge, "second_factor");
  if (ownerId !== null && answer.code !== undefined) await hooks.beforeCode(ownerId);
  const userId = await tokens.recordAttempt(answer.challenge, "second_factor", ATTEMPT_LIMITS);
  if (userId === null) throw challengeEnded(401);
  try {
    await db.transaction().execute(async (trx) => {
      if (!(await tokens.consume(answer.challenge, "second_factor", trx))) throw wrongCode();
      await verifyFactor(deps, userId, answer, trx);
    });
    return userId;
  } catch (error) {
    if (error instanceof AppError) await hooks.onWrongAnswer(userId, error.code);
    throw error;
  }
}

/** Removes all second factors of another user and revokes their sessions. Returns whether there was one. */
function resetSecondFactor(
  { db, totp, passkeys, recoveryCodes, changes, usersRepository, audit, mail, clock }: Deps,
  actor: SignedInActor,
  userId: string,
  reason: string,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const user = await changes.lockUser(userId, trx);
    if (user.totp_enabled_at === null && !user.has_passkey) return false;
    await totp.remove(userId, trx);
    await passkeys.removeAll(userId, trx);
    await recoveryCodes.remove(userId, trx);
    await usersRepository.revokeOtherSessions(userId, null, clock.now(), trx);
    await mail.send({ template: secondFactorResetMail, values: { reason }, to: user.email }, trx);
    await audit.record({ actor, action: "users.reset_second_factor", target: userId, details: { reason } }, trx);
    return true;
  });
}
