import { createHash, randomBytes } from "node:crypto";
import type { Audit } from "../../platform/core/audit.ts";
import type { Actor, SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { isEmailAddress } from "../../platform/core/email-address.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import { cutText } from "../../platform/core/texts/cut-text.ts";
import { findHiddenCharacters } from "../../platform/core/texts/public-names.ts";
import { MINUTE_MS } from "../../platform/core/time.ts";
import {
  type AuthUseCases,
  type ClientInfo,
  EMPTY_STATE,
  type EmailVerificationUseCases,
  type NewAccount,
  type OnRegistered,
  type RegistrationState,
  type SignInResult,
  toUsername,
  type UsersRepository,
} from "../identity/index.ts";
import type {
  Admission,
  ApprovalUseCases,
  OpenInvitationsRepository,
  RegistrationAdmission,
  RegistrationUseCases,
  UnconfirmedAccounts,
} from "../registration/index.ts";
import type { LinkedAccountsRepository, ProviderVisit } from "./linked-accounts.repository.ts";
import { isOwnSession, type ProviderLinking } from "./linking.usecases.ts";
import type { Profile, Provider } from "./providers.ts";

const VISIT_LIFETIME_MS = 10 * MINUTE_MS;
const MAX_NAME_CHARACTERS = 64;

type Deps = {
  db: Database;
  providers: ReadonlyMap<string, Provider>;
  linkedAccountsRepository: LinkedAccountsRepository;
  linking: ProviderLinking;
  identity: AuthUseCases;
  usersRepository: UsersRepository;
  verification: EmailVerificationUseCases;
  admission: RegistrationAdmission;
  openInvitationsRepository: OpenInvitationsRepository;
  approvals: ApprovalUseCases;
  registration: RegistrationUseCases;
  unconfirmed: UnconfirmedAccounts;
  onRegistered: OnRegistered;
  audit: Audit;
  clock: Clock;
  publicUrl: string;
};

/** What the browser sends when it comes back from a provider: code and state, and the secret in its cookie. */
export type ProviderCallback = {
  code: string;
  state: string;
  iss?: string | undefined;
  browserSecret: string | undefined;
};

/** The address of the provider, and the secret that is stored in the browser's cookie. */
export type ProviderRedirect = { redirectTo: string; browserSecret: string };
/** The client of a callback. `onError` gets the errors of work that continues after the response. */
export type FinishContext = { clientInfo: ClientInfo; onError(error: unknown): void };
/** A request to link a provider, with the user's password if they have one, and the page to return to. */
export type LinkRequest = { password: string | undefined; returnTo: string | null };

/** Signing in with an account at a provider, and linking one to an existing account. */
export function createProviderSignIn(deps: Deps) {
  return bind(deps, {
    list: listSignIns,
    start: startSignIn,
    startLinking,
    finish: finishSignIn,
    unlink: unlinkSignIn,
  });
}

export type ProviderSignIn = ReturnType<typeof createProviderSignIn>;

function getProvider(deps: Deps, id: string): Provider {
  const { providers } = deps;
  const provider = providers.get(id);
  if (!provider) throw errors.signInProviders.notFound();
  return provider;
}

function redirectUri({ publicUrl }: Deps, id: string) {
  return `${publicUrl}/auth/${encodeURIComponent(id)}/callback`;
}

function toNewAccount(deps: Deps, profile: Profile, email: string, admissionResult: Admission): NewAccount {
  const { clock } = deps;
  return {
    createdAt: clock.now(),
    email,
    username: toUsername(profile.username ?? localPartOf(email)),
    name: toDisplayName(profile, email),
    passwordHash: null,
    isAdmin: false,
    verifiedAt: clock.now(),
    emailAssumed: !profile.emailVerified,
    approvalRequestedAt: admissionResult.needsApproval ? clock.now() : null,
  };
}

function localPartOf(email: string): string {
  return email.slice(0, email.indexOf("@"));
}

/**
 * Returns the first of these texts without forbidden characters: the name at the provider, the username there, the local
 * part of the address. Shortens it to 64 characters.
 */
function toDisplayName({ name, username }: Profile, email: string): string {
  const candidates = [name, username].filter((text) => text !== null && findHiddenCharacters(text) === null);
  return cutText(candidates[0] ?? localPartOf(email), MAX_NAME_CHARACTERS);
}

/** A registration that waits for its link, and the secret of the browser that may open it. */
export type AwaitedConfirmation = { provider: string; browserSecret: string };

/**
 * Mails the address a link that completes the registration, or a notice that it has an account. The response does not
 * reveal which one, because the provider has not verified that the person owns the address.
 */
async function requestConfirmation(
  deps: Deps,
  provider: Provider,
  profile: Profile & { email: string },
  { referrer, returnTo }: ProviderVisit,
  { clientInfo, onError }: FinishContext,
): Promise<AwaitedConfirmation> {
  const { admission, registration } = deps;
  const { email, subject } = profile;
  const { needsApproval } = await admission.admitFromProvider(email, false);
  const browserSecret = randomBytes(32).toString("base64url");
  const name = toDisplayName(profile, email);
  const by = { account: { id: provider.id, subject, email, name }, providerName: provider.name, browserSecret };
  const { ip, language } = clientInfo;
  registration.startConfirmation(
    { email, name, returnTo, referrer, utm: {}, by, ip, language, needsApproval },
    onError,
  );
  return { provider: provider.name, browserSecret };
}

/**
 * Creates the account of a user who signs in for the first time, and returns its id. Called when the provider has verified
 * the address, or when this server sends no mail. Throws `auth.email_taken`.
 */
async function registerFromProvider(
  deps: Deps,
  provider: Provider,
  profile: Profile & { email: string },
  referrer: string | null,
  ip: string,
): Promise<string> {
  const { db, linking, usersRepository, admission, openInvitationsRepository } = deps;
  const { approvals, unconfirmed, onRegistered, audit } = deps;
  const { email } = profile;
  if (profile.emailVerified) await unconfirmed.releaseEmail(email);
  // An equal address does not prove ownership: the owner must log in and connect the provider themselves.
  if (await usersRepository.findByEmail(email)) throw emailTaken(provider.name);
  const admissionResult = await admission.admitFromProvider(email, profile.emailVerified);
  const account = await usersRepository.create(toNewAccount(deps, profile, email, admissionResult), async (trx) => {
    if (admissionResult.invitation && !(await openInvitationsRepository.consume(admissionResult.invitation, trx)))
      throw errors.invitations.ended();
  });
  if (!account) throw emailTaken(provider.name);
  const details = { provider: provider.id };
  await audit.record({ action: "auth.register", ...account, target: account.userId, ip, details });
  await linking.link({ userId: account.userId, ip }, provider, profile);
  await onRegistered(account, { referrer, ip });
  if (admissionResult.needsApproval) await db.transaction().execute((trx) => approvals.notifyAdmins(email, trx));
  return account.userId;
}

/** Returns the profile if its address can be one of an account. Throws `sign_in_providers.email_missing` or `.email_invalid`. */
function requireEmail(provider: Provider, profile: Profile): Profile & { email: string } {
  const { email } = profile;
  if (email === null) throw errors.signInProviders.emailMissing({ provider: provider.name });
  refuseInvalidEmail(provider, profile);
  return { ...profile, email };
}

/** Throws for an address with which nobody could register, because messages to it would go to another recipient. */
function refuseInvalidEmail(provider: Provider, { email }: Profile): void {
  if (email !== null && !isEmailAddress(email)) throw errors.signInProviders.emailInvalid({ provider: provider.name });
}

async function createRedirect(
  deps: Deps,
  id: string,
  registrationState: RegistrationState,
  userId: string | null,
): Promise<ProviderRedirect> {
  const { linkedAccountsRepository, clock } = deps;
  const provider = getProvider(deps, id);
  const [state, browserSecret, codeVerifier, nonce] = Array.from({ length: 4 }, () =>
    randomBytes(32).toString("base64url"),
  ) as [string, string, string, string];
  const redirectTo = await provider.start(redirectUri(deps, id), { codeVerifier, state, nonce });
  const { returnTo, referrer } = registrationState;
  const visit = { provider: id, codeVerifier, nonce, userId, returnTo, referrer };
  await linkedAccountsRepository.createVisit(
    sha256(state),
    sha256(browserSecret),
    visit,
    new Date(clock.now().getTime() + VISIT_LIFETIME_MS),
  );
  return { redirectTo, browserSecret };
}

function listSignIns({ providers }: Deps) {
  return [...providers.values()].map(({ id, name }) => ({ id, name }));
}

/** Starts a sign-in: returns the address of the provider and the secret for the browser's cookie. */
function startSignIn(deps: Deps, id: string, registrationState: RegistrationState): Promise<ProviderRedirect> {
  return createRedirect(deps, id, registrationState, null);
}

/** Starts linking a provider to the signed-in account. Throws unless the user reauthenticates. */
async function startLinking(
  deps: Deps,
  id: string,
  actor: SignedInActor,
  linkRequest: LinkRequest,
): Promise<ProviderRedirect> {
  const { linking } = deps;
  getProvider(deps, id);
  await linking.requireReauthentication(actor, linkRequest.password);
  return createRedirect(deps, id, { ...EMPTY_STATE, returnTo: linkRequest.returnTo }, actor.userId);
}

/**
 * Signs the user in, or links the provider to the signed-in account; in that case it returns "linked" and no session. If
 * the provider has not verified the address of a new account, the account waits for a link, provided that this server sends
 * mail.
 */
async function finishSignIn(
  deps: Deps,
  id: string,
  actor: Actor,
  callback: ProviderCallback,
  context: FinishContext,
): Promise<SignInResult | AwaitedConfirmation | "linked"> {
  const { linkedAccountsRepository, linking, identity, verification, clock } = deps;
  const { clientInfo } = context;
  const provider = getProvider(deps, id);
  const visit =
    callback.browserSecret === undefined
      ? null
      : await linkedAccountsRepository.consumeVisit(
          sha256(callback.state),
          sha256(callback.browserSecret),
          id,
          clock.now(),
        );
  if (!visit) throw signInEnded();
  const linker = visit.userId === null ? null : requireLinker(actor, visit.userId);
  const callbackUrl = new URL(redirectUri(deps, id));
  for (const [name, value] of Object.entries({ code: callback.code, state: callback.state, iss: callback.iss }))
    if (value !== undefined) callbackUrl.searchParams.set(name, value);
  const profile = await provider.finish(callbackUrl, { ...visit, state: callback.state });
  const owner = await linkedAccountsRepository.find(id, profile.subject);
  if (linker) {
    if (owner && owner.id !== linker.userId) throw errors.signInProviders.linked({ provider: provider.name });
    refuseInvalidEmail(provider, profile);
    if (!owner) await linking.link({ actor: linker }, provider, profile);
    return "linked";
  }
  if (owner) return identity.signIn(owner.id, clientInfo, "provider");
  const newcomer = requireEmail(provider, profile);
  if (verification.required && !newcomer.emailVerified)
    return requestConfirmation(deps, provider, newcomer, visit, context);
  const userId = await registerFromProvider(deps, provider, newcomer, visit.referrer, clientInfo.ip);
  return identity.signIn(userId, clientInfo, "provider");
}

async function unlinkSignIn(
  { providers, linking }: Deps,
  id: string,
  actor: SignedInActor,
  password: string | undefined,
): Promise<void> {
  await linking.requireReauthentication(actor, password);
  await linking.unlink(actor, { id, name: providers.get(id)?.name ?? id });
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function signInEnded(): AppError {
  return errors.signInProviders.ended({ param: "state" });
}

/** Returns the user who started the linking. Throws unless they are still signed in by a session of their own. */
function requireLinker(actor: Actor, userId: string): SignedInActor {
  if (actor.kind !== "user" || actor.userId !== userId || !isOwnSession(actor)) throw signInEnded();
  return actor;
}

function emailTaken(name: string): AppError {
  return errors.auth.emailTaken({ name });
}
