import { createHash, randomBytes } from "node:crypto";
import type { Database } from "../../db/connect.ts";
import type { Actor, SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import type { Audit } from "../audit/audit.ts";
import type { EmailVerification } from "../identity/email-verification.ts";
import type { IdentityRepository, NewAccount } from "../identity/identity.repository.ts";
import {
  type Identity,
  type OnRegistered,
  type SignIn,
  usernameFrom,
  type Visitor,
} from "../identity/identity.usecases.ts";
import { NO_STATE, type RegistrationState } from "../identity/registration-state.ts";
import type { Admission, RegistrationAdmission } from "../registration/admission.ts";
import type { Approvals } from "../registration/approvals.ts";
import type { OpenInvitations } from "../registration/open-invitations.ts";
import { invitationEnded } from "../registration/registration.errors.ts";
import type { UnconfirmedAccounts } from "../registration/unconfirmed.ts";
import type { LinkedAccountsRepository } from "./linked-accounts.repository.ts";
import { isOwnSession, type ProviderLinking, providerLinked } from "./linking.ts";
import type { Profile, Provider } from "./providers.ts";

const VISIT_LIFETIME = 10 * 60_000;

type Deps = {
  db: Database;
  providers: ReadonlyMap<string, Provider>;
  linked: LinkedAccountsRepository;
  linking: ProviderLinking;
  identity: Identity;
  identities: IdentityRepository;
  verification: EmailVerification;
  admission: RegistrationAdmission;
  invitations: OpenInvitations;
  approvals: Approvals;
  unconfirmed: UnconfirmedAccounts;
  onRegistered: OnRegistered;
  audit: Audit;
  clock: Clock;
  publicUrl: string;
};

/** What the browser brings back from a provider: code and state, and the secret of its cookie. */
export type Return = { code: string; state: string; iss?: string | undefined; browserSecret: string | undefined };

/** The address of the provider, and the secret that is stored in the browser's cookie. */
export type Departure = { redirectTo: string; browserSecret: string };
/** A request to link a provider: the user's password where they have one, and where the site goes afterwards. */
export type LinkRequest = { password: string | undefined; returnTo: string | null };

/** Signing in with an account at a provider, and linking one to an existing account. */
export function createProviderSignIn(deps: Deps) {
  const { db, providers, linked, linking, identity, identities, verification, admission, invitations } = deps;
  const { approvals, unconfirmed, onRegistered, audit, clock, publicUrl } = deps;

  function providerOf(id: string): Provider {
    const provider = providers.get(id);
    if (!provider) throw notFound("Nobody can sign in with this provider here.", "provider_not_found");
    return provider;
  }

  const redirectUri = (id: string) => `${publicUrl}/auth/${encodeURIComponent(id)}/callback`;

  function newAccount({ username, name, emailVerified }: Profile, email: string, admitted: Admission): NewAccount {
    const local = email.slice(0, email.indexOf("@"));
    return {
      createdAt: clock.now(),
      email,
      username: usernameFrom(username ?? local),
      name: (name ?? username ?? local).slice(0, 64),
      passwordHash: null,
      isAdmin: false,
      verifiedAt: emailVerified || !verification.required ? clock.now() : null,
      approvalRequestedAt: admitted.needsApproval ? clock.now() : null,
    };
  }

  /**
   * Creates the account of a user who signs in for the first time, and returns its id. Throws `email_taken` or
   * `email_missing`.
   */
  async function firstVisit(
    provider: Provider,
    profile: Profile,
    referrer: string | null,
    ip: string,
  ): Promise<string> {
    const { email } = profile;
    if (email === null)
      throw new AppError(
        400,
        "email_missing",
        `${provider.name} told no e-mail address. Make one visible there, or register here.`,
      );
    if (profile.emailVerified) await unconfirmed.release(email);
    // An equal address does not prove ownership: the owner must log in and connect the provider themselves.
    if (await identities.findByEmail(email)) throw connectFirst(provider.name);
    const admitted = await admission.admitFromProvider(email, profile.emailVerified);
    const made = await identities.create(newAccount(profile, email, admitted), async (trx) => {
      if (admitted.invitation && !(await invitations.useUp(admitted.invitation, trx))) throw invitationEnded();
    });
    if (!made) throw connectFirst(provider.name);
    const details = { provider: provider.id };
    await audit.record({ action: "auth.register", ...made, target: made.userId, ip, details });
    await linking.link({ userId: made.userId, ip }, provider, profile);
    if (!profile.emailVerified && verification.required) await verification.send(made.userId, email);
    await onRegistered(made, { referrer, ip });
    if (admitted.needsApproval) await db.transaction().execute((trx) => approvals.announce(email, trx));
    return made.userId;
  }

  async function depart(id: string, came: RegistrationState, userId: string | null): Promise<Departure> {
    const provider = providerOf(id);
    const [state, browserSecret, codeVerifier, nonce] = Array.from({ length: 4 }, () =>
      randomBytes(32).toString("base64url"),
    ) as [string, string, string, string];
    const redirectTo = await provider.start(redirectUri(id), { codeVerifier, state, nonce });
    const { returnTo, referrer } = came;
    const visit = { provider: id, codeVerifier, nonce, userId, returnTo, referrer };
    await linked.createVisit(hash(state), hash(browserSecret), visit, new Date(clock.now().getTime() + VISIT_LIFETIME));
    return { redirectTo, browserSecret };
  }

  return {
    list: () => [...providers.values()].map(({ id, name }) => ({ id, name })),

    /** Starts a sign-in: returns the address of the provider and the secret for the browser's cookie. */
    start: (id: string, came: RegistrationState): Promise<Departure> => depart(id, came, null),

    /** Starts linking a provider to the signed-in account. Throws unless the user reauthenticates. */
    async startLinking(id: string, actor: SignedIn, given: LinkRequest): Promise<Departure> {
      providerOf(id);
      await linking.reauthenticate(actor, given.password);
      return depart(id, { ...NO_STATE, returnTo: given.returnTo }, actor.userId);
    },

    /** Signs the user in, or links the provider to the signed-in account; then it returns "linked" and no session. */
    async finish(id: string, actor: Actor, back: Return, visitor: Visitor): Promise<SignIn | "linked"> {
      const provider = providerOf(id);
      const visit =
        back.browserSecret === undefined
          ? null
          : await linked.useVisit(hash(back.state), hash(back.browserSecret), id, clock.now());
      if (!visit) throw visitEnded();
      const linker = visit.userId === null ? null : linkerOf(actor, visit.userId);
      const answer = new URL(redirectUri(id));
      for (const [name, value] of Object.entries({ code: back.code, state: back.state, iss: back.iss }))
        if (value !== undefined) answer.searchParams.set(name, value);
      const profile = await provider.finish(answer, { ...visit, state: back.state });
      const owner = await linked.find(id, profile.subject);
      if (linker) {
        if (owner && owner.id !== linker.userId) throw providerLinked(provider.name);
        if (!owner) await linking.link({ actor: linker }, provider, profile);
        return "linked";
      }
      const userId = owner?.id ?? (await firstVisit(provider, profile, visit.referrer, visitor.ip));
      return identity.signIn(userId, visitor, "provider");
    },

    async disconnect(id: string, actor: SignedIn, password: string | undefined): Promise<void> {
      await linking.reauthenticate(actor, password);
      await linking.disconnect(actor, { id, name: providers.get(id)?.name ?? id });
    },
  };
}

export type ProviderSignIn = ReturnType<typeof createProviderSignIn>;

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function visitEnded(): AppError {
  return new AppError(
    400,
    "sign_in_ended",
    "This sign-in took too long, was used already, or began in another browser. Begin again.",
    {
      param: "state",
    },
  );
}

/** Returns the user who started the linking. Throws unless they are still signed in by a session of their own. */
function linkerOf(actor: Actor, userId: string): SignedIn {
  if (actor.kind !== "user" || actor.userId !== userId || !isOwnSession(actor)) throw visitEnded();
  return actor;
}

function connectFirst(name: string): AppError {
  return new AppError(
    409,
    "email_taken",
    `There is an account with this e-mail already. Log in to it, and connect ${name} in the account's settings.`,
  );
}
