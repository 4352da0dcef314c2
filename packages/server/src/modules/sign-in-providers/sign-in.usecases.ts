import { createHash, randomBytes } from "node:crypto";
import { type Actor, signedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import type { Audit } from "../audit/audit.ts";
import type { EmailVerification } from "../identity/email-verification.ts";
import { suspended } from "../identity/identity.errors.ts";
import type { IdentityRepository } from "../identity/identity.repository.ts";
import {
  type Identity,
  type OnRegistered,
  type SignIn,
  usernameFrom,
  type Visitor,
} from "../identity/identity.usecases.ts";
import type { RegistrationState } from "../identity/registration-state.ts";
import type { LinkedAccountsRepository } from "./linked-accounts.repository.ts";
import type { Profile, Provider } from "./providers.ts";

const VISIT_LIFETIME = 10 * 60_000;

type Deps = {
  providers: ReadonlyMap<string, Provider>;
  linked: LinkedAccountsRepository;
  identity: Identity;
  identities: IdentityRepository;
  verification: EmailVerification;
  onRegistered: OnRegistered;
  audit: Audit;
  clock: Clock;
  publicUrl: string;
};

/** What a browser comes back with: the code, and the state and secret it was sent off with. */
export type Return = { code: string; state: string; iss?: string | undefined; browserSecret: string | undefined };

/** Signing in with accounts elsewhere, and linking them. */
export function createProviderSignIn(deps: Deps) {
  const { providers, linked, identity, identities, verification, onRegistered, audit, clock, publicUrl } = deps;

  function providerOf(id: string): Provider {
    const provider = providers.get(id);
    if (!provider) throw notFound("Nobody can sign in with this provider here.", "provider_not_found");
    return provider;
  }

  const redirectUri = (id: string) => `${publicUrl}/auth/${encodeURIComponent(id)}/callback`;

  async function link(userId: string, provider: Provider, profile: Profile): Promise<void> {
    if (!(await linked.link(userId, provider.id, profile, clock.now()))) throw linkedAlready(provider.name);
    await audit.record({ action: "account.link_provider", userId, target: userId, details: { provider: provider.id } });
  }

  /** The account of somebody who comes for the first time: theirs by a verified address, or a new one. */
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
    const known = await identities.findByEmail(email);
    if (known) {
      // Both sides must have proved the address, or a stranger could have waited here under somebody else's.
      if (!profile.emailVerified || !verification.required || !known.email_verified_at)
        throw connectFirst(provider.name);
      await link(known.id, provider, profile);
      return known.id;
    }
    const made = await identities.create({
      email,
      username: usernameFrom(profile.username ?? email.slice(0, email.indexOf("@"))),
      name: (profile.name ?? profile.username ?? email.slice(0, email.indexOf("@"))).slice(0, 64),
      passwordHash: null,
      isAdmin: false,
      verifiedAt: profile.emailVerified || !verification.required ? clock.now() : null,
    });
    if (!made) throw connectFirst(provider.name);
    const details = { provider: provider.id };
    await audit.record({ action: "auth.register", ...made, target: made.userId, ip, details });
    await link(made.userId, provider, profile);
    if (!profile.emailVerified && verification.required) await verification.send(made.userId, email);
    await onRegistered(made, { referrer });
    return made.userId;
  }

  async function signInAs(userId: string, visitor: Visitor): Promise<SignIn> {
    const user = await identities.findWithOrganization(userId);
    if (!user || user.suspended_at) throw suspended();
    return identity.signIn(userId, user.totp_enabled_at !== null, visitor, "provider");
  }

  return {
    list: () => [...providers.values()].map(({ id, name }) => ({ id, name })),

    /** Where to send the browser, and the secret it has to bring back. */
    async start(
      id: string,
      actor: Actor,
      came: RegistrationState,
    ): Promise<{ redirectTo: string; browserSecret: string }> {
      const provider = providerOf(id);
      const [state, browserSecret, codeVerifier, nonce] = Array.from({ length: 4 }, () =>
        randomBytes(32).toString("base64url"),
      ) as [string, string, string, string];
      const redirectTo = await provider.start(redirectUri(id), { codeVerifier, state, nonce });
      const visit = {
        provider: id,
        codeVerifier,
        nonce,
        userId: actor.kind === "user" ? actor.userId : null,
        returnTo: came.returnTo,
        referrer: came.referrer,
      };
      await linked.createVisit(
        hash(state),
        hash(browserSecret),
        visit,
        new Date(clock.now().getTime() + VISIT_LIFETIME),
      );
      return { redirectTo, browserSecret };
    },

    /** Signs in, or links the account to the one that is signed in: then no session is answered. */
    async finish(id: string, actor: Actor, back: Return, visitor: Visitor): Promise<SignIn | "linked"> {
      const provider = providerOf(id);
      const visit =
        back.browserSecret === undefined
          ? null
          : await linked.useVisit(hash(back.state), hash(back.browserSecret), id, clock.now());
      if (!visit) throw visitEnded();
      if (visit.userId !== null && (actor.kind !== "user" || actor.userId !== visit.userId)) throw visitEnded();
      const answer = new URL(redirectUri(id));
      for (const [name, value] of Object.entries({ code: back.code, state: back.state, iss: back.iss }))
        if (value !== undefined) answer.searchParams.set(name, value);
      const profile = await provider.finish(answer, { ...visit, state: back.state });
      const owner = await linked.find(id, profile.subject);
      if (visit.userId !== null) {
        if (owner && owner.id !== visit.userId) throw linkedAlready(provider.name);
        if (!owner) await link(visit.userId, provider, profile);
        return "linked";
      }
      return signInAs(owner?.id ?? (await firstVisit(provider, profile, visit.referrer, visitor.ip)), visitor);
    },

    async disconnect(id: string, actor: Actor): Promise<void> {
      const user = signedIn(actor);
      const outcome = await linked.unlink(user.userId, id);
      if (outcome === "not_linked")
        throw notFound("No account of this provider is connected.", "provider_not_connected");
      if (outcome === "last_login_method")
        throw new AppError(409, "last_login_method", "This is your only way to sign in. Set a password first.");
      await audit.record({
        actor: user,
        action: "account.unlink_provider",
        target: user.userId,
        details: { provider: id },
      });
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

function linkedAlready(name: string): AppError {
  return new AppError(409, "provider_linked", `This ${name} account, or another one of yours, is connected already.`);
}

function connectFirst(name: string): AppError {
  return new AppError(
    409,
    "email_taken",
    `There is an account with this e-mail already. Log in to it, and connect ${name} in the account's settings.`,
  );
}
