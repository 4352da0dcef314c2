import type { components } from "@feather/openapi/schema";
import type { Updateable } from "kysely";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { lockDelegationColumns } from "../../platform/core/auth/delegation.ts";
import { refuseLimitedKey } from "../../platform/core/auth/refuse-limited-key.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Applications } from "../../platform/core/db/schema.generated.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { createSecret, hashSecret, type RandomBytes } from "../../platform/core/secrets/secrets.ts";
import { findPublicNameProblem } from "../../platform/core/texts/public-names.ts";
import { DAY_MS } from "../../platform/core/time.ts";
import type { Mail } from "../../platform/mail/index.ts";
import { applicationReviewedMail } from "./applications.mails.ts";
import type { ApplicationRow, ApplicationsRepository, ApplicationWithOwner } from "./applications.repository.ts";
import { validateRedirectUri } from "./redirect-uris.ts";

type ApplicationCreate = components["schemas"]["ApplicationCreate"];
type ApplicationUpdate = components["schemas"]["ApplicationUpdate"];
/** The review status of an application. */
export type ApplicationStatus = components["schemas"]["Application"]["status"];

type Deps = {
  db: Database;
  applicationsRepository: ApplicationsRepository;
  audit: Audit;
  mail: Mail;
  clock: Clock;
  ids: Ids;
  /** Whether an admin must approve new applications. */
  isReviewRequired: boolean;
  productName: string;
  /** Clears the cache of API keys, because keys that an application created end with it. */
  invalidateApiKeys(): void;
  random?: RandomBytes;
};
type AuditedAction = { action: string; details?: Record<string, unknown> };

/** How long the previous secret stays valid after a new one was created. */
const SECRET_GRACE_MS = DAY_MS;
const MAX_APPLICATIONS = 100;
/** Fields of an application that the consent page shows: changing one requires a new review. */
const REVIEWED_FIELDS = ["name", "description", "homepage_url", "logo_url"] as const;
/** The statuses that an owner may set without an admin. */
const OWNER_STATUSES: readonly string[] = ["active", "inactive"];

/** Use cases of applications. Every change is recorded in the audit log. */
export function createApplicationUseCases(deps: Deps) {
  return bind(deps, {
    create: createApplication,
    update: updateApplication,
    delete: deleteApplication,
    setStatus,
    regenerateSecret,
  });
}

export type ApplicationUseCases = ReturnType<typeof createApplicationUseCases>;

/** Locks an application, applies a change and records the action that `apply` returns in the audit log. */
async function change(
  deps: Deps,
  actor: SignedInActor,
  id: string,
  organizationId: string | null,
  apply: (row: ApplicationRow, trx: Database) => Promise<AuditedAction>,
): Promise<void> {
  const { db, applicationsRepository, audit } = deps;
  await db.transaction().execute(async (trx) => {
    const row = await applicationsRepository.lock(organizationId, id, trx);
    if (!row) throw errors.applications.notFound();
    const auditedAction = await apply(row, trx);
    await audit.record({ actor, target: id, ...auditedAction }, trx);
  });
}

async function getApplication(deps: Deps, id: string): Promise<ApplicationWithOwner> {
  const { applicationsRepository } = deps;
  const row = await applicationsRepository.findById(id);
  if (!row) throw errors.applications.notFound();
  return row;
}

async function notifyOwner(
  deps: Deps,
  { created_by, name, organization_id }: ApplicationRow,
  status: string,
  trx: Database,
) {
  const { applicationsRepository, mail } = deps;
  const to =
    created_by === null || organization_id === null
      ? undefined
      : await applicationsRepository.findUserEmail(created_by, trx);
  if (to === undefined) return;
  await mail.send({ template: applicationReviewedMail, values: { application: name, status }, to }, trx);
}

async function createApplication(
  deps: Deps,
  actor: SignedInActor,
  body: ApplicationCreate,
): Promise<{ row: ApplicationWithOwner; secret: string | null }> {
  const { db, applicationsRepository, audit, clock, ids, isReviewRequired, productName, random } = deps;
  refuseLimitedKey(actor);
  refuseInvalidRedirectUris(body.redirect_uris);
  if (!actor.isAdmin) refuseDeceptiveName(body.name, productName);
  const { client_type = "confidential", name, ...rest } = body;
  const secret = client_type === "confidential" ? createSecret("secret", random) : null;
  const id = ids.next("app");
  const values = {
    ...rest,
    id,
    name: name.trim(),
    client_type,
    organization_id: actor.organizationId,
    created_by: actor.userId,
    status: isReviewRequired ? "pending" : "active",
    reviewed_at: actor.isAdmin && !isReviewRequired ? clock.now() : null,
    secret_hash: secret === null ? null : hashSecret(secret),
    created_at: clock.now(),
  };
  await db.transaction().execute(async (trx) => {
    const { made_under_grant: known_to_grant } = await lockDelegationColumns(actor, trx);
    if (!(await applicationsRepository.create({ ...values, known_to_grant }, MAX_APPLICATIONS, trx)))
      throw limitReached();
    const details = { name: values.name, scopes: body.scopes };
    await audit.record({ actor, action: "applications.create", target: id, details }, trx);
  });
  return { row: await getApplication(deps, id), secret };
}

async function updateApplication(
  deps: Deps,
  actor: SignedInActor,
  id: string,
  body: ApplicationUpdate,
): Promise<ApplicationWithOwner> {
  const { applicationsRepository, isReviewRequired, productName } = deps;
  if (body.redirect_uris) refuseInvalidRedirectUris(body.redirect_uris);
  if (body.name !== undefined && !actor.isAdmin) refuseDeceptiveName(body.name, productName);
  await change(deps, actor, id, actor.organizationId, async (row, trx) => {
    const values: Updateable<Applications> = {
      ...body,
      ...(body.name !== undefined && { name: body.name.trim() }),
    };
    if (!actor.isAdmin && needsReview(row, values)) {
      values.reviewed_at = null;
      if (isReviewRequired && row.status !== "suspended") values.status = "pending";
    }
    if (Object.keys(values).length > 0) await applicationsRepository.update(id, values, trx);
    return { action: "applications.update", details: { ...body } };
  });
  return getApplication(deps, id);
}

async function deleteApplication(deps: Deps, actor: SignedInActor, id: string): Promise<void> {
  const { applicationsRepository, invalidateApiKeys } = deps;
  await change(deps, actor, id, actor.organizationId, async ({ name }, trx) => {
    await applicationsRepository.delete(id, trx);
    return { action: "applications.delete", details: { name } };
  });
  invalidateApiKeys();
}

async function setStatus(
  deps: Deps,
  actor: SignedInActor,
  id: string,
  status: ApplicationStatus,
): Promise<ApplicationWithOwner> {
  const { applicationsRepository, clock, invalidateApiKeys } = deps;
  await change(deps, actor, id, actor.isAdmin ? null : actor.organizationId, async (row, trx) => {
    if (!actor.isAdmin) refuseAdminStatus(row.status, status);
    const reviewed = actor.isAdmin ? { reviewed_at: status === "active" ? clock.now() : null } : {};
    await applicationsRepository.update(id, { status, ...reviewed }, trx);
    if (actor.isAdmin && row.status !== status && row.created_by !== actor.userId)
      await notifyOwner(deps, row, status, trx);
    return { action: "applications.set_status", details: { from: row.status, to: status } };
  });
  invalidateApiKeys();
  return getApplication(deps, id);
}

/** Creates a new secret. The previous one stays valid for a day; an older one ends at once. */
async function regenerateSecret(deps: Deps, actor: SignedInActor, id: string) {
  const { applicationsRepository, clock, random } = deps;
  refuseLimitedKey(actor);
  const secret = createSecret("secret", random);
  const graceEndsAt = new Date(clock.now().getTime() + SECRET_GRACE_MS);
  await change(deps, actor, id, actor.organizationId, async ({ client_type, secret_hash }, trx) => {
    if (client_type === "public") throw errors.applications.public();
    const { made_under_grant: known_to_grant } = await lockDelegationColumns(actor, trx);
    const previous = { previous_secret_hash: secret_hash, previous_secret_expires_at: graceEndsAt };
    await applicationsRepository.update(id, { secret_hash: hashSecret(secret), ...previous, known_to_grant }, trx);
    return { action: "applications.regenerate_secret" };
  });
  return { row: await getApplication(deps, id), secret, graceEndsAt };
}

function refuseInvalidRedirectUris(uris: readonly string[]): void {
  for (const [index, uri] of uris.entries()) {
    const invalidReason = validateRedirectUri(uri);
    if (invalidReason)
      throw errors.invalidRequest(`redirect_uris is not valid: ${invalidReason}.`, { param: `redirect_uris.${index}` });
  }
}

function refuseDeceptiveName(name: string, productName: string): void {
  const invalidReason = findPublicNameProblem(name, productName);
  if (invalidReason !== null) throw errors.invalidRequest(`name is not valid: ${invalidReason}.`, { param: "name" });
}

/**
 * Returns whether the change shows users something that was not reviewed: other texts, more redirect URIs or more
 * scopes.
 */
function needsReview(row: ApplicationRow, change: Updateable<Applications>): boolean {
  const hasNewItem = (now: readonly string[], before: readonly string[]) => now.some((item) => !before.includes(item));
  return (
    REVIEWED_FIELDS.some((field) => change[field] !== undefined && change[field] !== row[field]) ||
    hasNewItem((change.redirect_uris as string[] | undefined) ?? [], row.redirect_uris) ||
    hasNewItem((change.scopes as string[] | undefined) ?? [], row.scopes)
  );
}

function refuseAdminStatus(from: string, to: string): void {
  if (!OWNER_STATUSES.includes(to)) throw errors.applications.statusDenied({ status: to });
  if (!OWNER_STATUSES.includes(from)) throw errors.applications.notYoursToSwitch({ status: from });
}

function limitReached(): AppError {
  return errors.applications.limitReached({ max: MAX_APPLICATIONS }, { details: { limit: MAX_APPLICATIONS } });
}
