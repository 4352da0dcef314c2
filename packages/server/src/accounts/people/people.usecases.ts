import type { Updateable } from "kysely";
import { type Billing, type EndedPlan, toEndedPlanDto } from "../../money/billing/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Users } from "../../platform/core/db/schema.generated.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Mail } from "../../platform/mail/index.ts";
import type { EmailVerificationUseCases, Reauthenticate, SecondFactorUseCases } from "../identity/index.ts";
import { sendGrantMail } from "./grant-mail.ts";
import { adminAddedMail, adminRemovedMail } from "./people.mails.ts";
import type { PeopleRepository, PersonRow } from "./people.repository.ts";

type AdminUserUpdate = {
  suspended?: boolean;
  reason?: string;
  is_admin?: boolean;
  email_verified?: boolean;
  /** The caller's own password. */
  password?: string;
  plan_id?: string;
  quantity?: number;
};

type Deps = {
  db: Database;
  peopleRepository: PeopleRepository;
  audit: Audit;
  clock: Clock;
  reauthenticate: Reauthenticate;
  secondFactor: Pick<SecondFactorUseCases, "reset">;
  verification: Pick<EmailVerificationUseCases, "required">;
  billing: Pick<Billing, "grantPlan" | "previewEndedPlan">;
  mail: Mail;
  invalidatePlan(organizationId: string): void;
  invalidateApiKeys(): void;
};

/** Creates the use cases with which admins manage users. */
export function createPeopleUseCases(deps: Deps) {
  return bind(deps, {
    get: getPerson,
    resetSecondFactor,
    previewGrant,
    update: updatePerson,
  });
}

/** Manages users for admins. */
export type PeopleUseCases = ReturnType<typeof createPeopleUseCases>;

function toColumns(change: AdminUserUpdate, now: Date): Updateable<Users> {
  const { suspended, reason, is_admin, email_verified } = change;
  return {
    updated_at: now,
    ...(suspended !== undefined && {
      suspended_at: suspended ? now : null,
      suspension_reason: suspended ? (reason ?? null) : null,
    }),
    ...(is_admin !== undefined && { is_admin }),
    ...(email_verified !== undefined && { email_verified_at: email_verified ? now : null }),
  };
}

/** Puts the user's organization on a plan and mails its admin. Returns details for the audit log. */
async function grantPlan(
  deps: Deps,
  id: string,
  { plan_id, quantity = 1 }: AdminUserUpdate,
  trx: Database,
): Promise<object> {
  const { peopleRepository, billing } = deps;
  const organization = await peopleRepository.findOrganization(id, trx);
  if (plan_id === undefined || !organization) return {};
  const organizationId = organization.organization_id;
  const { plan, endedPlan } = await billing.grantPlan({ organizationId, planId: plan_id, quantity }, trx);
  await sendGrantMail({ organizationId, plan, quantity, settlement: endedPlan }, deps.mail, trx);
  return endedPlan === null ? {} : { ended_plan: toEndedPlanDto(endedPlan) };
}

async function getPerson({ peopleRepository, clock }: Deps, id: string): Promise<PersonRow> {
  const row = await peopleRepository.find(id, clock.now());
  if (!row) throw errors.users.notFound();
  return row;
}

/** Removes all second factors of a user who lost them. The admin has to reauthenticate. Throws 409 if there is none. */
async function resetSecondFactor(
  deps: Deps,
  actor: SignedInActor,
  id: string,
  request: { reason: string; password?: string },
): Promise<void> {
  const { reauthenticate, secondFactor } = deps;
  if (id === actor.userId)
    throw errors.users.yourself("You cannot reset your own second factor. Switch it off instead.");
  const admin = await getPerson(deps, actor.userId);
  await reauthenticate(actor, { hash: admin.password_hash, password: request.password, field: "password" });
  await getPerson(deps, id);
  if (!(await secondFactor.reset(actor, id, request.reason.trim()))) throw errors.users.noSecondFactor();
}

/** Returns which paid plan a grant would end and what it would refund; null if the user's organization pays for none. */
async function previewGrant(deps: Deps, id: string): Promise<EndedPlan | null> {
  const { organization_id } = await getPerson(deps, id);
  return organization_id === null ? null : deps.billing.previewEndedPlan(organization_id);
}

/**
 * Throws unless the caller has proved enough for the change. `suspended`, `is_admin` and `email_verified` need a session
 * instead of a key. The last two, and the suspension of an admin, also need reauthentication.
 */
async function requireProof(deps: Deps, actor: SignedInActor, id: string, change: AdminUserUpdate): Promise<void> {
  const { suspended, is_admin, email_verified, password } = change;
  if (suspended === undefined && is_admin === undefined && email_verified === undefined) return;
  if (actor.credential.type !== "session")
    throw errors.unauthorized("This change needs a signed-in session: a key can only grant plans.");
  const target = await getPerson(deps, id);
  const endsAdmin = suspended === true && target.is_admin;
  if (is_admin === undefined && email_verified === undefined && !endsAdmin) return;
  const admin = await getPerson(deps, actor.userId);
  await deps.reauthenticate(actor, { hash: admin.password_hash, password, field: "password" });
}

/** Changes a user in one transaction. Throws 404 for unknown users and 409 for the last admin or oneself. */
async function updatePerson(deps: Deps, actor: SignedInActor, id: string, change: AdminUserUpdate): Promise<void> {
  const { db, peopleRepository, verification, audit, clock, invalidatePlan, invalidateApiKeys } = deps;
  const { suspended, reason, email_verified } = change;
  if (suspended === true && reason === undefined)
    throw errors.invalidRequest("reason is required to suspend an account.", { param: "reason" });
  if (suspended === true && id === actor.userId) throw errors.users.yourself("You cannot suspend your own account.");
  await requireProof(deps, actor, id, change);
  const now = clock.now();
  const organizationId = await db.transaction().execute(async (trx) => {
    const { user, admins } = await peopleRepository.lockWithAdmins(id, trx);
    if (!user) throw errors.users.notFound();
    const wasAdmin = user.is_admin && user.suspended_at === null;
    const isAdmin = (change.is_admin ?? user.is_admin) && !(suspended ?? user.suspended_at !== null);
    if (wasAdmin && !isAdmin && admins.length === 1) throw lastAdmin();
    await peopleRepository.update(id, toColumns(omitUnchanged(change, user), now), trx);
    const losesSessions = suspended === true || (email_verified === false && verification.required);
    if (losesSessions) await peopleRepository.revokeSessions(id, now, trx);
    if (wasAdmin !== isAdmin) await tellAdmins(deps, { actor, user, admins, isAdmin }, trx);
    const grantDetails = await grantPlan(deps, id, change, trx);
    const { password: _, ...recorded } = change;
    await audit.record({ actor, action: "users.update", target: id, details: { ...recorded, ...grantDetails } }, trx);
    return (await peopleRepository.findOrganization(id, trx))?.organization_id;
  });
  invalidateApiKeys();
  if (organizationId !== undefined) invalidatePlan(organizationId);
}

type AdminChange = {
  actor: SignedInActor;
  user: { email: string };
  /** The admins before the change, of whom one may be the user. */
  admins: readonly { id: string; email: string }[];
  isAdmin: boolean;
};

/** Mails all admins, and the user, that the user was made an admin or is no admin any more. */
async function tellAdmins(deps: Deps, { actor, user, admins, isAdmin }: AdminChange, trx: Database): Promise<void> {
  const template = isAdmin ? adminAddedMail : adminRemovedMail;
  const admin = admins.find(({ id }) => id === actor.userId)?.email ?? null;
  const values = { admin, email: user.email, ip: actor.ip ?? null };
  for (const to of new Set([...admins.map(({ email }) => email), user.email]))
    await deps.mail.send({ template, values, to }, trx);
}

type UserBefore = { suspended_at: Date | null; email_verified_at: Date | null };

/** Leaves out fields that do not change, so that the stored dates stay. */
function omitUnchanged(change: AdminUserUpdate, before: UserBefore): AdminUserUpdate {
  const { suspended, email_verified, ...rest } = change;
  const isEmailUnchanged = email_verified === (before.email_verified_at !== null);
  const isSuspensionUnchanged = suspended === (before.suspended_at !== null) && suspended === false;
  return {
    ...rest,
    ...(suspended !== undefined && !isSuspensionUnchanged && { suspended }),
    ...(email_verified !== undefined && !isEmailUnchanged && { email_verified }),
  };
}

function lastAdmin(): AppError {
  return errors.users.lastAdmin("This is the last admin. Make somebody else an admin first.");
}
