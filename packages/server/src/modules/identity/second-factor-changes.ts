import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { unauthorized } from "../../shared/errors.ts";
import type { Audit } from "../audit/audit.ts";
import { lastSecondFactor } from "./identity.errors.ts";
import type { IdentityRepository } from "./identity.repository.ts";
import { HAS_PASSKEY } from "./passkeys.repository.ts";
import type { RecoveryCodes } from "./recovery-codes.ts";
import type { SecondFactorPolicy } from "./second-factor-policy.ts";
import type { SecurityNotice, SendSecurityNotice } from "./security-notices.ts";

type Deps = {
  identity: IdentityRepository;
  recoveryCodes: RecoveryCodes;
  lacksSecondFactor: SecondFactorPolicy;
  notify: SendSecurityNotice;
  audit: Audit;
  clock: Clock;
};
/** What is written to the owner and to the audit log. */
export type FactorChange = {
  notice: SecurityNotice;
  action: string;
  target: string;
  details?: Record<string, unknown>;
};

/** What happens whenever somebody changes with what they sign in, whichever kind of factor it is. */
export function createSecondFactorChanges(deps: Deps) {
  const { identity, recoveryCodes, lacksSecondFactor, notify, audit, clock } = deps;

  /** The user with all that counts as second factor, held until the transaction ends. */
  async function lock(userId: string, trx: Database) {
    const user = await trx
      .selectFrom("users")
      .selectAll()
      .select(HAS_PASSKEY.as("has_passkey"))
      .where("id", "=", userId)
      .forUpdate()
      .executeTakeFirst();
    if (!user) throw unauthorized();
    return user;
  }

  /** Other sessions end: they were begun under other rules, perhaps by somebody else. */
  async function conclude(actor: SignedIn, email: string, change: FactorChange, trx: Database): Promise<void> {
    const { notice, ...act } = change;
    const kept = actor.credential.type === "session" ? actor.credential.id : null;
    await identity.revokeOtherSessions(actor.userId, kept, clock.now(), trx);
    await notify(email, { ...notice, text: `${notice.text} All other sessions were ended.` }, trx);
    await audit.record({ actor, ...act }, trx);
  }

  return {
    lock,

    /** After a factor was added. Returns recovery codes where the user had none left. */
    async added(actor: SignedIn, change: FactorChange, trx: Database): Promise<string[]> {
      const { email } = await lock(actor.userId, trx);
      const codes = await recoveryCodes.ensure(actor.userId, trx);
      await conclude(actor, email, change, trx);
      return codes;
    },

    /** After a factor was removed. Throws `last_second_factor` where none is left of those who must have one. */
    async removed(actor: SignedIn, change: FactorChange, trx: Database): Promise<void> {
      const user = await lock(actor.userId, trx);
      if (lacksSecondFactor(user)) throw lastSecondFactor();
      if (user.totp_enabled_at === null && !user.has_passkey) await recoveryCodes.remove(actor.userId, trx);
      await conclude(actor, user.email, change, trx);
    },
  };
}

export type SecondFactorChanges = ReturnType<typeof createSecondFactorChanges>;
