import type { Audit } from "../../platform/core/audit.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { CreateLimiter } from "../../platform/core/http/limiter.ts";
import type { Mail } from "../../platform/mail/index.ts";
import {
  type AuthUseCases,
  type ClientInfo,
  type EmailVerificationUseCases,
  emailTaken,
  type NewAccount,
  type OnRegistered,
  type PasswordHasher,
  type PendingRegistration,
  type RegistrationState,
  refuseCommonPassword,
  type StartedSession,
  toUsername,
  type UsersRepository,
} from "../identity/index.ts";
import type { Admission, RegistrationAdmission } from "./admission.ts";
import type { ApprovalUseCases } from "./approvals.usecases.ts";
import type { OpenInvitationsRepository } from "./open-invitations.repository.ts";
import { accountExistsMail } from "./registration.mails.ts";
import type { UnconfirmedAccounts } from "./unconfirmed-accounts.ts";

/** Maximum of messages to one address per hour, so that repeated registrations cannot flood a mailbox. */
const MAIL_LIMIT = { name: "registration mail by address", points: 5, duration: 3_600 };

type Deps = {
  passwords: PasswordHasher;
  db: Database;
  createLimiter: CreateLimiter;
  auth: AuthUseCases;
  usersRepository: UsersRepository;
  admission: RegistrationAdmission;
  openInvitationsRepository: OpenInvitationsRepository;
  approvals: ApprovalUseCases;
  unconfirmed: UnconfirmedAccounts;
  verification: EmailVerificationUseCases;
  onRegistered: OnRegistered;
  mail: Mail;
  audit: Audit;
  clock: Clock;
  productName: string;
};

/** The input of a registration; `invitation` is the secret of its link. */
export type RegistrationRequest = { email: string; password: string; invitation: string | null };
/** The new session, or the step that is needed before a session can be created. */
export type RegistrationResult = { session: StartedSession } | { next: "confirm_email" | "approval" };

/** A registration that a link has to confirm. */
type ConfirmationRequest = RegistrationState &
  PendingRegistration & {
    needsApproval: boolean;
    /** The language that the request asks for, in which the message is written. */
    language: ClientInfo["language"];
  };

type Context = ReturnType<typeof createContext>;

/** Creates the use cases of registration by e-mail and password. */
export function createRegistrationUseCases(deps: Deps) {
  const context = createContext(deps);
  return bind(context, {
    register: registerAccount,
    startConfirmation,
    settled: waitForRegistrations,
  });
}

/** Registers accounts. */
export type RegistrationUseCases = ReturnType<typeof createRegistrationUseCases>;

/** Returns the dependencies with what is derived from them. */
function createContext(deps: Deps) {
  const mailLimit = deps.createLimiter(MAIL_LIMIT);
  const pendingMails = new Set<Promise<void>>();
  return { ...deps, mailLimit, pendingMails };
}

/** Returns an account that exists at once: by an invitation, or where no message can confirm an address. */
function toNewAccount(
  { clock }: Context,
  email: string,
  passwordHash: string,
  { invitation, needsApproval }: Admission,
): NewAccount {
  const name = email.slice(0, email.indexOf("@"));
  return {
    createdAt: clock.now(),
    email,
    username: toUsername(name),
    name,
    passwordHash,
    isAdmin: false,
    verifiedAt: clock.now(),
    emailAssumed: invitation === null,
    approvalRequestedAt: needsApproval ? clock.now() : null,
  };
}

async function recordRegistration(
  context: Context,
  created: { userId: string; organizationId: string },
  admissionResult: Admission,
  registrationState: RegistrationState,
  ip: string,
): Promise<void> {
  const { audit } = context;
  const details = {
    ...(admissionResult.invitation && { invitation: admissionResult.invitation.id }),
    ...(Object.keys(registrationState.utm).length > 0 && { utm: registrationState.utm }),
  };
  await audit.record({ action: "auth.register", ...created, target: created.userId, ip, details });
}

/** Creates the account immediately, for addresses that need no confirmation. Throws `auth.email_taken` if one exists. */
async function registerNow(
  context: Context,
  account: NewAccount,
  admissionResult: Admission,
  registrationState: RegistrationState,
  clientInfo: ClientInfo,
) {
  const { db, auth, usersRepository, openInvitationsRepository, approvals, unconfirmed, onRegistered } = context;
  const { invitation } = admissionResult;
  if (invitation) await unconfirmed.releaseEmail(account.email);
  const created = await usersRepository.create(account, async (trx) => {
    if (invitation && !(await openInvitationsRepository.consume(invitation, trx))) throw errors.invitations.ended();
  });
  if (created === null) throw emailTaken();
  await recordRegistration(context, created, admissionResult, registrationState, clientInfo.ip);
  await onRegistered(created, { referrer: registrationState.referrer, ip: clientInfo.ip });
  if (!admissionResult.needsApproval)
    return { session: await auth.startSession(created.userId, clientInfo, "registration") };
  await db.transaction().execute((trx) => approvals.notifyAdmins(account.email, trx));
  return { next: "approval" as const };
}

/**
 * Mails the address either a confirmation link or a notice that it has an account. The response does not depend on which of
 * the two was sent. The account that is created is empty: the data of the registration is stored with the link.
 */
async function requestConfirmation(
  context: Context,
  { email, name, returnTo, referrer, by, ip, needsApproval, language, utm }: ConfirmationRequest,
): Promise<void> {
  const { usersRepository, verification, clock } = context;
  if (!(await isWithinMailLimit(context, email))) return;
  const existing = await usersRepository.findByEmail(email);
  if (existing && !existing.awaiting_confirmation) return notifyOwner(context, existing.email);
  const localPart = email.slice(0, email.indexOf("@"));
  const created = existing
    ? null
    : await usersRepository.create({
        createdAt: clock.now(),
        email,
        username: toUsername(localPart),
        name: localPart,
        passwordHash: null,
        isAdmin: false,
        verifiedAt: null,
        awaitsConfirmation: true,
        approvalRequestedAt: needsApproval ? clock.now() : null,
        language,
      });
  if (created)
    await recordRegistration(context, created, { invitation: null, needsApproval }, { returnTo, referrer, utm }, ip);
  const userId = existing?.id ?? created?.userId;
  if (userId === undefined) return;
  await verification.sendRegistration(userId, {
    email,
    ...(name !== undefined && { name }),
    returnTo,
    referrer,
    ip,
    by,
  });
}

/**
 * Requests a confirmation in the background, so that the response time does not reveal whether an account exists. Errors
 * are passed to `onError`.
 */
function startConfirmation(
  context: Context,
  request: ConfirmationRequest,
  onError: (error: unknown) => void,
): { next: "confirm_email" } {
  const { pendingMails } = context;
  const pending = requestConfirmation(context, request)
    .catch(onError)
    .finally(() => pendingMails.delete(pending));
  pendingMails.add(pending);
  return { next: "confirm_email" };
}

async function notifyOwner(context: Context, email: string): Promise<void> {
  await context.mail.send({ template: accountExistsMail, values: {}, to: email });
}

async function isWithinMailLimit({ mailLimit }: Context, email: string): Promise<boolean> {
  return (await mailLimit.consume(email.toLowerCase())) === null;
}

/**
 * Creates an account and signs in. With a mail server and without an invitation, the address must be confirmed first:
 * then the result is the same for every address, and the work continues in the background. `onError` receives its
 * errors.
 */
async function registerAccount(
  context: Context,
  { email, password, invitation }: RegistrationRequest,
  registrationState: RegistrationState,
  clientInfo: ClientInfo,
  onError: (error: unknown) => void,
): Promise<RegistrationResult> {
  const { passwords, admission, verification, productName } = context;
  const admissionResult = await admission.admit(email, invitation);
  refuseCommonPassword(password, email, [productName]);
  const passwordHash = await passwords.hash(password);
  if (!verification.required || admissionResult.invitation !== null) {
    const account = toNewAccount(context, email, passwordHash, admissionResult);
    return registerNow(context, account, admissionResult, registrationState, clientInfo);
  }
  const { needsApproval } = admissionResult;
  const { ip, language } = clientInfo;
  const request = { ...registrationState, email, by: { passwordHash }, ip, language, needsApproval };
  return startConfirmation(context, request, onError);
}

/** Resolves when all registrations in the background are done. */
async function waitForRegistrations({ pendingMails }: Context) {
  return void (await Promise.all(pendingMails));
}
