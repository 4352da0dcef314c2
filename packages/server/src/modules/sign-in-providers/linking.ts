import type { Database } from "../../db/connect.ts";
import { impersonatorOf, type SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, notFound, unauthorized } from "../../shared/errors.ts";
import type { Act, Audit } from "../audit/audit.ts";
import type { IdentityRepository } from "../identity/identity.repository.ts";
import type { Proof } from "../identity/proof.ts";
import type { SendSecurityNotice } from "../identity/security-notices.ts";
import type { LinkedAccountsRepository } from "./linked-accounts.repository.ts";
import type { Profile, Provider } from "./providers.ts";

type Deps = {
  db: Database;
  linked: LinkedAccountsRepository;
  identity: IdentityRepository;
  prove: Proof;
  notify: SendSecurityNotice;
  audit: Audit;
  clock: Clock;
};
/** Who links: a signed-in user, or the user whose account this first sign-in has created. */
type Linker = { actor: SignedIn } | { userId: string; ip: string };

/** Links accounts at sign-in providers to a user's account, and unlinks them. */
export function createProviderLinking({ db, linked, identity, prove, notify, audit, clock }: Deps) {
  async function ownAccount(actor: SignedIn) {
    const user = await identity.findWithOrganization(actor.userId);
    if (!user) throw unauthorized();
    return user;
  }

  return {
    /**
     * Throws unless the caller has a session of their own and proves their identity by password or a recent sign-in.
     */
    async reauthenticate(actor: SignedIn, password: string | undefined): Promise<void> {
      if (!isOwnSession(actor)) throw unauthorized("This call needs a signed-in session.");
      const { password_hash: hash } = await ownAccount(actor);
      await prove(actor, { hash, password, field: "password" });
    },

    /** Links the profile to an account. Throws `provider_linked` where either already has a link of this provider. */
    async link(by: Linker, provider: Provider, profile: Profile): Promise<void> {
      const userId = "actor" in by ? by.actor.userId : by.userId;
      await db.transaction().execute(async (trx) => {
        if (!(await linked.link(userId, provider.id, profile, clock.now(), trx))) throw providerLinked(provider.name);
        const act: Act = {
          action: "account.link_provider",
          target: userId,
          details: { provider: provider.id },
          ...by,
        };
        await audit.record(act, trx);
        if (!("actor" in by)) return;
        const { email } = await ownAccount(by.actor);
        const text = `Your account can now be signed in to with ${provider.name}${profile.email === null ? "" : ` (${profile.email})`}.`;
        await notify(email, { subject: `${provider.name} was connected to your account`, text }, trx);
      });
    },

    async disconnect(actor: SignedIn, provider: { id: string; name: string }): Promise<void> {
      const { email } = await ownAccount(actor);
      await db.transaction().execute(async (trx) => {
        const outcome = await linked.unlink(actor.userId, provider.id, trx);
        if (outcome === "not_linked")
          throw notFound("No account of this provider is connected.", "provider_not_connected");
        if (outcome === "last_login_method")
          throw new AppError(409, "last_login_method", "This is your only way to sign in. Set a password first.");
        const details = { provider: provider.id };
        await audit.record({ actor, action: "account.unlink_provider", target: actor.userId, details }, trx);
        const text = `Your account can no longer be signed in to with ${provider.name}.`;
        await notify(email, { subject: `${provider.name} was disconnected from your account`, text }, trx);
      });
    },
  };
}

export type ProviderLinking = ReturnType<typeof createProviderLinking>;

/**
 * Returns whether the actor is signed in by a session of their own: not by a key or token, and not an impersonating
 * admin.
 */
export function isOwnSession(actor: SignedIn): boolean {
  return actor.credential.type === "session" && impersonatorOf(actor) === null;
}

/** Returns the 409 error for a profile or account that is linked already. */
export function providerLinked(name: string): AppError {
  return new AppError(409, "provider_linked", `This ${name} account, or another one of yours, is connected already.`);
}
