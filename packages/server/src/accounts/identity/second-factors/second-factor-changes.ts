import type { Audit } from "../../../platform/core/audit.ts";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { Mail, MailVariables, TemplatedMessage } from "../../../platform/mail/index.ts";
import type { SecondFactorPolicy } from "../users/second-factor-policy.ts";
import type { UsersRepository } from "../users/users.repository.ts";
import { HAS_PASSKEY } from "../users/users.repository.ts";
import type { RecoveryCodes } from "./recovery-codes.ts";

type Deps = {
  usersRepository: UsersRepository;
  recoveryCodes: RecoveryCodes;
  lacksSecondFactor: SecondFactorPolicy;
  mail: Mail;
  audit: Audit;
  clock: Clock;
};
/** The notice to the user and the entry of the audit log. */
export type FactorChange<V extends MailVariables> = {
  notice: TemplatedMessage<V>;
  action: string;
  target: string;
  details?: Record<string, unknown>;
};

/** Creates the steps that complete every change of a second factor. */
export function createSecondFactorChanges(deps: Deps) {
  const { usersRepository, recoveryCodes, lacksSecondFactor, mail, audit, clock } = deps;

  /** Locks the user until the transaction ends and returns them with their second factors. */
  async function lockUser(userId: string, trx: Database) {
    const user = await trx
      .selectFrom("users")
      .selectAll()
      .select(HAS_PASSKEY.as("has_passkey"))
      .where("id", "=", userId)
      .forUpdate()
      .executeTakeFirst();
    if (!user) throw errors.unauthorized();
    return user;
  }

  /** Revokes other sessions, because they may have been started without the factor, and notifies the user. */
  async function finishChange<V extends MailVariables>(
    actor: SignedInActor,
    email: string,
    change: FactorChange<V>,
    trx: Database,
  ): Promise<void> {
    const { notice, ...event } = change;
    const keptSessionId = actor.credential.type === "session" ? actor.credential.id : null;
    await usersRepository.revokeOtherSessions(actor.userId, keptSessionId, clock.now(), trx);
    await mail.send({ ...notice, to: email }, trx);
    await audit.record({ actor, ...event }, trx);
  }

  return {
    lockUser,

    /**
     * Completes the addition of a factor. Returns recovery codes if the user had none left. Throws 403 for unconfirmed
     * addresses.
     */
    async handleAdded<V extends MailVariables>(
      actor: SignedInActor,
      change: FactorChange<V>,
      trx: Database,
    ): Promise<string[]> {
      const { email, email_verified_at } = await lockUser(actor.userId, trx);
      if (email_verified_at === null) throw errors.emailNotVerified();
      const codes = await recoveryCodes.ensure(actor.userId, trx);
      await finishChange(actor, email, change, trx);
      return codes;
    },

    /**
     * Completes the removal of a factor. Throws `auth.last_second_factor` if it was the last one and the user must have
     * one.
     */
    async handleRemoved<V extends MailVariables>(
      actor: SignedInActor,
      change: FactorChange<V>,
      trx: Database,
    ): Promise<void> {
      const user = await lockUser(actor.userId, trx);
      if (lacksSecondFactor(user)) throw errors.auth.lastSecondFactor();
      if (user.totp_enabled_at === null && !user.has_passkey) await recoveryCodes.remove(actor.userId, trx);
      await finishChange(actor, user.email, change, trx);
    },
  };
}

/** Completes changes of second factors. */
export type SecondFactorChanges = ReturnType<typeof createSecondFactorChanges>;
