import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Audit } from "../audit/audit.ts";
import type { EmailVerification } from "../identity/email-verification.ts";
import { emailTaken } from "../identity/identity.errors.ts";
import type { IdentityRepository, NewAccount } from "../identity/identity.repository.ts";
import {
  type Identity,
  type OnRegistered,
  type StartedSession,
  usernameFrom,
  type Visitor,
} from "../identity/identity.usecases.ts";
import { hashPassword, refuseCommonPassword } from "../identity/passwords.ts";
import type { RegistrationState } from "../identity/registration-state.ts";
import type { Mail } from "../mail/mail.ts";
import type { Admission, RegistrationAdmission } from "./admission.ts";
import type { Approvals } from "./approvals.ts";
import type { OpenInvitations } from "./open-invitations.ts";
import { invitationEnded } from "./registration.errors.ts";
import type { UnconfirmedAccounts } from "./unconfirmed.ts";

/** Maximum of messages to one address per hour, so that repeated registrations cannot flood a mailbox. */
const MAILS_PER_ADDRESS = { points: 5, duration: 3_600 };

type Deps = {
  db: Database;
  identity: Identity;
  identities: IdentityRepository;
  admission: RegistrationAdmission;
  invitations: OpenInvitations;
  approvals: Approvals;
  unconfirmed: UnconfirmedAccounts;
  verification: EmailVerification;
  onRegistered: OnRegistered;
  mail: Mail;
  audit: Audit;
  clock: Clock;
  publicUrl: string;
  productName: string;
};

/** What somebody registers with; `invitation` is the secret of its link. */
export type RegistrationRequest = { email: string; password: string; invitation: string | null };
/** The new session, or the step that is needed before there can be one. */
export type Registered = { session: StartedSession } | { next: "confirm_email" | "approval" };

/** Creates the use cases of registration by e-mail and password. */
export function createRegistration(deps: Deps) {
  const { db, identity, identities, admission, invitations, approvals, unconfirmed, verification } = deps;
  const { onRegistered, mail, audit, clock, publicUrl, productName } = deps;
  const mailLimit = new RateLimiterMemory(MAILS_PER_ADDRESS);
  const sending = new Set<Promise<void>>();

  function accountOf(email: string, passwordHash: string, { invitation, needsApproval }: Admission): NewAccount {
    const name = email.slice(0, email.indexOf("@"));
    const confirmsByMail = verification.required && invitation === null;
    return {
      createdAt: clock.now(),
      email,
      username: usernameFrom(name),
      name,
      passwordHash,
      isAdmin: false,
      verifiedAt: confirmsByMail ? null : clock.now(),
      awaitsConfirmation: confirmsByMail,
      approvalRequestedAt: needsApproval ? clock.now() : null,
    };
  }

  async function note(
    made: { userId: string; organizationId: string },
    admitted: Admission,
    came: RegistrationState,
    ip: string,
  ): Promise<void> {
    const details = {
      ...(admitted.invitation && { invitation: admitted.invitation.id }),
      ...(Object.keys(came.utm).length > 0 && { utm: came.utm }),
    };
    await audit.record({ action: "auth.register", ...made, target: made.userId, ip, details });
    await onRegistered(made, { ...came, ip });
  }

  /** Creates the account immediately, for addresses that need no confirmation. Throws `email_taken` if one exists. */
  async function registerNow(account: NewAccount, admitted: Admission, came: RegistrationState, visitor: Visitor) {
    const { invitation } = admitted;
    if (invitation) await unconfirmed.release(account.email);
    const made = await identities.create(account, async (trx) => {
      if (invitation && !(await invitations.useUp(invitation, trx))) throw invitationEnded();
    });
    if (made === null) throw emailTaken();
    await note(made, admitted, came, visitor.ip);
    if (!admitted.needsApproval) return { session: await identity.startSession(made.userId, visitor, "registration") };
    await db.transaction().execute((trx) => approvals.announce(account.email, trx));
    return { next: "approval" as const };
  }

  /**
   * Mails the address either a confirmation link or a notice that it has an account. The response does not depend on which
   * of the two was sent.
   */
  async function registerByMail(account: NewAccount, admitted: Admission, came: RegistrationState, ip: string) {
    if (!(await hasRoom(account.email))) return;
    const known = await identities.findByEmail(account.email);
    if (known && !known.awaiting_confirmation) return tellOwner(known.email);
    const made = known ? null : await identities.create(account);
    if (made) await note(made, admitted, came, ip);
    const userId = known?.id ?? made?.userId;
    // The password takes effect when the link is opened, so that the owner of the address chooses it.
    if (userId !== undefined)
      await verification.send(userId, account.email, {
        returnTo: came.returnTo,
        passwordHash: account.passwordHash,
      });
  }

  async function tellOwner(email: string): Promise<void> {
    const text = `Somebody, perhaps you, tried to sign up at ${productName} with this address. You have an account already: log in at ${publicUrl}/login, or choose a new password at ${publicUrl}/reset-password. If it was not you, nothing has changed.`;
    await mail.send(
      { kind: "account_exists", to: email, subject: `You have an account at ${productName} already`, text },
      db,
    );
  }

  async function hasRoom(email: string): Promise<boolean> {
    try {
      await mailLimit.consume(email.toLowerCase());
      return true;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return false;
      throw refusal;
    }
  }

  return {
    /**
     * Creates an account and signs in. With a mail server and without an invitation, the address must be confirmed first:
     * then the result is the same for every address, and the work continues in the background. `onError` receives its
     * errors.
     */
    async register(
      { email, password, invitation }: RegistrationRequest,
      came: RegistrationState,
      visitor: Visitor,
      failed: (error: unknown) => void,
    ): Promise<Registered> {
      const admitted = await admission.admit(email, invitation);
      refuseCommonPassword(password, email, [productName]);
      const account = accountOf(email, await hashPassword(password), admitted);
      if (!account.awaitsConfirmation) return registerNow(account, admitted, came, visitor);
      const work = registerByMail(account, admitted, came, visitor.ip)
        .catch(failed)
        .finally(() => sending.delete(work));
      sending.add(work);
      return { next: "confirm_email" };
    },

    /** Resolves when all registrations in the background are done. */
    settled: async () => void (await Promise.all(sending)),
  };
}

/** Registers accounts. */
export type Registration = ReturnType<typeof createRegistration>;
