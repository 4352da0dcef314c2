import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Audit } from "../audit/audit.ts";
import type { Mail } from "../mail/mail.ts";
import type { OnConfirmed } from "./email-verification.ts";
import { describeEnded, endCredentials } from "./end-credentials.ts";
import { invalidToken, wrongPassword } from "./identity.errors.ts";
import type { IdentityRepository } from "./identity.repository.ts";
import type { OneTimeTokens } from "./one-time-tokens.ts";
import { hashPassword, refuseCommonPassword } from "./passwords.ts";
import type { Proof } from "./proof.ts";

const LIFETIME = 3_600_000;
/** Minimum time between two messages to one account. */
const PAUSE = 60_000;

type Deps = {
  db: Database;
  usersRepository: IdentityRepository;
  tokens: OneTimeTokens;
  mail: Mail;
  audit: Audit;
  clock: Clock;
  prove: Proof;
  onConfirmed: OnConfirmed;
  forgetKeys(): void;
  publicUrl: string;
  productName: string;
};

type Reset = { token: string; password: string; endKeys: boolean };
type PasswordChange = { current: string | undefined; password: string; endKeys: boolean };

/** Creates the use cases that reset and change passwords. */
export function createPasswordReset(deps: Deps) {
  const { db, usersRepository, tokens, mail, audit, clock, prove, onConfirmed, forgetKeys, publicUrl, productName } =
    deps;

  type By = { actor: SignedIn } | { userId: string; ip: string };
  type Account = { id: string; email: string };

  type Change = { hash: string; keptSession: string | null; endKeys: boolean };

  async function store(by: By, { id, email }: Account, { hash, keptSession, endKeys }: Change, trx: Database) {
    const now = clock.now();
    await trx
      .updateTable("users")
      .set({ password_hash: hash, password_changed_at: now, updated_at: now })
      .where("id", "=", id)
      .execute();
    await usersRepository.revokeOtherSessions(id, keptSession, now, trx);
    const ended = await endCredentials(id, { endKeys, now }, trx);
    const text = `The password of your account was changed, and all other sessions were ended.${describeEnded(ended)}\n\nIf that was not you, reset it at once: ${publicUrl}/reset-password`;
    await mail.send(
      { kind: "password_changed", to: email, subject: `Your password at ${productName} was changed`, text },
      trx,
    );
    const details = { applications: ended.applications.length, keys: ended.keys.length };
    await audit.record({ action: "account.change_password", ...by, target: id, details }, trx);
  }

  const sending = new Set<Promise<void>>();

  async function sendLink(email: string): Promise<void> {
    const user = await usersRepository.findByEmail(email);
    if (!user || user.suspended_at) return;
    const last = await tokens.lastIssued(user.id, "password_reset");
    if (last !== null && clock.now().getTime() - last.at.getTime() < PAUSE) return;
    await db.transaction().execute(async (trx) => {
      const token = await tokens.issue("password_reset", user.id, LIFETIME, { email: user.email }, trx);
      const text = `Choose a new password here:\n\n${publicUrl}/reset-password?${new URLSearchParams({ token })}\n\nThe link works once, within an hour. If you did not ask for it, leave it be: your password stays as it is.`;
      await mail.send(
        { kind: "password_reset", to: user.email, subject: `Reset your password at ${productName}`, text },
        trx,
      );
    });
  }

  return {
    /**
     * Mails a link to an address that has an account, at most once a minute. Returns immediately, because the duration
     * would reveal whether there is an account. `onError` receives errors.
     */
    forgot(email: string, failed: (error: unknown) => void): void {
      const work = sendLink(email)
        .catch(failed)
        .finally(() => sending.delete(work));
      sending.add(work);
    },

    /** Resolves when all pending links are sent. */
    settled: async () => void (await Promise.all(sending)),

    /** Sets the password with the token of a link, revokes all sessions, and returns the id of the user. */
    async reset({ token, password, endKeys }: Reset, ip: string): Promise<string> {
      const hash = await hashPassword(password);
      const whose = await db.transaction().execute(async (trx) => {
        const used = await tokens.use(token, "password_reset", trx);
        const user =
          used?.userId &&
          (await trx.selectFrom("users").selectAll().where("id", "=", used.userId).forUpdate().executeTakeFirst());
        // The user may have changed the address since the link was sent.
        if (!user || user.suspended_at || user.email !== used.data.email) throw invalidToken("Ask for a new one.");
        refuseCommonPassword(password, user.email, [productName, user.username, user.name]);
        await store({ userId: user.id, ip }, user, { hash, keptSession: null, endKeys }, trx);
        // Opening the link proves that the address belongs to the user.
        if (!user.email_verified_at)
          await trx
            .updateTable("users")
            .set({ email_verified_at: clock.now(), awaiting_confirmation: false })
            .where("id", "=", user.id)
            .execute();
        if (user.awaiting_confirmation) await onConfirmed(user, trx);
        return user.id;
      });
      forgetKeys();
      return whose;
    },

    /** Changes the password, or sets the first one, after reauthentication. Revokes all other sessions. */
    async change(actor: SignedIn, { current, password, endKeys }: PasswordChange): Promise<void> {
      const { userId, credential } = actor;
      const user = await usersRepository.findWithOrganization(userId);
      if (!user) throw wrongPassword();
      await prove(actor, { hash: user.password_hash, password: current, field: "current_password" });
      refuseCommonPassword(password, user.email, [productName, user.username, user.name]);
      const hash = await hashPassword(password);
      const keptSession = credential.type === "session" ? credential.id : null;
      await db.transaction().execute((trx) => store({ actor }, user, { hash, keptSession, endKeys }, trx));
      forgetKeys();
    },
  };
}

/** Resets and changes passwords. */
export type PasswordReset = ReturnType<typeof createPasswordReset>;
