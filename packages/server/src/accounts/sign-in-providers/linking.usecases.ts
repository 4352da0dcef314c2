import type { Audit, AuditEvent } from "../../platform/core/audit.ts";
import { impersonatorOf, type SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Mail } from "../../platform/mail/index.ts";
import type { Reauthenticate, UsersRepository } from "../identity/index.ts";
import type { LinkedAccountsRepository } from "./linked-accounts.repository.ts";
import type { Profile, Provider } from "./providers.ts";
import { providerConnectedMail, providerDisconnectedMail } from "./sign-in-providers.mails.ts";

type Deps = {
  db: Database;
  linkedAccountsRepository: LinkedAccountsRepository;
  identity: UsersRepository;
  reauthenticate: Reauthenticate;
  mail: Mail;
  audit: Audit;
  clock: Clock;
};
/** Who links: a signed-in user, or the user whose account this first sign-in has created. */
type Linker = { actor: SignedInActor } | { userId: string; ip: string };

/** Links accounts at sign-in providers to a user's account, and unlinks them. */
export function createProviderLinking(deps: Deps) {
  return bind(deps, {
    requireReauthentication,
    link: linkLinkedAccount,
    unlink: unlinkLinkedAccount,
  });
}

export type ProviderLinking = ReturnType<typeof createProviderLinking>;

async function getUser(deps: Deps, actor: SignedInActor) {
  const { identity } = deps;
  const user = await identity.findWithOrganization(actor.userId);
  if (!user) throw errors.unauthorized();
  return user;
}

/**
 * Throws unless the caller has a session of their own and a confirmed address, and proves their identity by password or a
 * recent sign-in.
 */
async function requireReauthentication(deps: Deps, actor: SignedInActor, password: string | undefined): Promise<void> {
  const { reauthenticate } = deps;
  if (!isOwnSession(actor)) throw errors.unauthorized("This call needs a signed-in session.");
  const { password_hash: hash, email_verified_at } = await getUser(deps, actor);
  if (email_verified_at === null) throw errors.emailNotVerified();
  await reauthenticate(actor, { hash, password, field: "password" });
}

/** Links the profile to an account. Throws `sign_in_providers.linked` where either already has a link of this provider. */
async function linkLinkedAccount(deps: Deps, linker: Linker, provider: Provider, profile: Profile): Promise<void> {
  const { db, linkedAccountsRepository, mail, audit, clock } = deps;
  const userId = "actor" in linker ? linker.actor.userId : linker.userId;
  await db.transaction().execute(async (trx) => {
    if (!(await linkedAccountsRepository.link(userId, provider.id, profile, clock.now(), trx)))
      throw errors.signInProviders.linked({ provider: provider.name });
    const entry: AuditEvent = {
      action: "account.link_provider",
      target: userId,
      details: { provider: provider.id },
      ...linker,
    };
    await audit.record(entry, trx);
    if (!("actor" in linker)) return;
    const { email } = await getUser(deps, linker.actor);
    const values = { provider: provider.name, provider_email: profile.email };
    await mail.send({ template: providerConnectedMail, values, to: email }, trx);
  });
}

async function unlinkLinkedAccount(
  deps: Deps,
  actor: SignedInActor,
  provider: { id: string; name: string },
): Promise<void> {
  const { db, linkedAccountsRepository, mail, audit } = deps;
  const { email } = await getUser(deps, actor);
  await db.transaction().execute(async (trx) => {
    const outcome = await linkedAccountsRepository.unlink(actor.userId, provider.id, trx);
    if (outcome === "not_linked") throw errors.signInProviders.notConnected();
    if (outcome === "last_login_method") throw errors.auth.lastLoginMethod();
    const details = { provider: provider.id };
    await audit.record({ actor, action: "account.unlink_provider", target: actor.userId, details }, trx);
    await mail.send({ template: providerDisconnectedMail, values: { provider: provider.name }, to: email }, trx);
  });
}

/**
 * Returns whether the actor is signed in by a session of their own: not by a key or token, and not an impersonating
 * admin.
 */
export function isOwnSession(actor: SignedInActor): boolean {
  return actor.credential.type === "session" && impersonatorOf(actor) === null;
}
