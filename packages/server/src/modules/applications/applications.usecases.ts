import type { components } from "@feather/openapi/schema";
import type { Updateable } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { Applications } from "../../db/schema.generated.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, invalidRequest, notFound } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import { publicNameFault } from "../../shared/public-names.ts";
import { hashSecret, newSecret, type RandomBytes } from "../../shared/secrets.ts";
import { refuseLimitedKey } from "../api-keys/key-limits.ts";
import type { Audit } from "../audit/audit.ts";
import type { Mail } from "../mail/mail.ts";
import { faultOf } from "../oauth/redirect-uris.ts";
import type { ApplicationRow, ApplicationsRepository, OwnedApplication } from "./applications.repository.ts";

type ApplicationCreate = components["schemas"]["ApplicationCreate"];
type ApplicationUpdate = components["schemas"]["ApplicationUpdate"];
/** The review status of an application. */
export type ApplicationStatus = components["schemas"]["Application"]["status"];

type Deps = {
  db: Database;
  applications: ApplicationsRepository;
  audit: Audit;
  mail: Mail;
  clock: Clock;
  ids: Ids;
  /** Whether an admin must approve new applications. */
  review: boolean;
  productName: string;
  /** Empties the cache of API keys: keys that an application created end with it. */
  forgetKeys(): void;
  random?: RandomBytes;
};
type Act = { action: string; details?: Record<string, unknown> };

/** How long the previous secret stays valid after a new one was created. */
const GRACE = 24 * 3_600_000;
const MOST = 100;
/** Fields of an application that the consent page shows: changing one requires a new review. */
const SHOWN = ["name", "description", "homepage_url", "logo_url"] as const;
/** The statuses that an owner may set without an admin. */
const OWN: readonly string[] = ["active", "inactive"];

/** Use cases of applications. Every change is recorded in the audit log. */
export function createApplications(deps: Deps) {
  const { db, applications, audit, mail, clock, ids, review, productName, forgetKeys, random } = deps;

  /** Locks an application, applies a change and records the action that `apply` returns in the audit log. */
  async function change(
    actor: SignedIn,
    id: string,
    of: string | null,
    apply: (row: ApplicationRow, trx: Database) => Promise<Act>,
  ): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const row = await applications.lock(of, id, trx);
      if (!row) throw noSuchApplication();
      const act = await apply(row, trx);
      await audit.record({ actor, target: id, ...act }, trx);
    });
  }

  async function found(id: string): Promise<OwnedApplication> {
    const row = await applications.findAny(id);
    if (!row) throw noSuchApplication();
    return row;
  }

  async function tellOwner({ created_by, name, organization_id }: ApplicationRow, status: string, trx: Database) {
    const to =
      created_by === null || organization_id === null ? undefined : await applications.emailOf(created_by, trx);
    if (to === undefined) return;
    const text = `An admin of ${productName} has set your application "${name}" to: ${status}.`;
    await mail.send({ kind: "application_reviewed", to, subject: `Your application ${name}`, text }, trx);
  }

  return {
    async create(actor: SignedIn, body: ApplicationCreate): Promise<{ row: OwnedApplication; secret: string | null }> {
      refuseLimitedKey(actor);
      refuseBadAddresses(body.redirect_uris);
      if (!actor.isAdmin) refuseDeceptiveName(body.name, productName);
      const { client_type = "confidential", name, ...rest } = body;
      const secret = client_type === "confidential" ? newSecret("secret", random) : null;
      const id = ids.next("app");
      const values = {
        ...rest,
        id,
        name: name.trim(),
        client_type,
        organization_id: actor.organizationId,
        created_by: actor.userId,
        status: review ? "pending" : "active",
        reviewed_at: actor.isAdmin && !review ? clock.now() : null,
        secret_hash: secret === null ? null : hashSecret(secret),
        created_at: clock.now(),
      };
      await db.transaction().execute(async (trx) => {
        if (!(await applications.create(values, MOST, trx))) throw tooMany();
        const details = { name: values.name, scopes: body.scopes };
        await audit.record({ actor, action: "applications.create", target: id, details }, trx);
      });
      return { row: await found(id), secret };
    },

    async update(actor: SignedIn, id: string, body: ApplicationUpdate): Promise<OwnedApplication> {
      if (body.redirect_uris) refuseBadAddresses(body.redirect_uris);
      if (body.name !== undefined && !actor.isAdmin) refuseDeceptiveName(body.name, productName);
      await change(actor, id, actor.organizationId, async (row, trx) => {
        const values: Updateable<Applications> = {
          ...body,
          ...(body.name !== undefined && { name: body.name.trim() }),
        };
        if (!actor.isAdmin && isNews(row, values)) {
          values.reviewed_at = null;
          if (review && row.status !== "suspended") values.status = "pending";
        }
        if (Object.keys(values).length > 0) await applications.update(id, values, trx);
        return { action: "applications.update", details: { ...body } };
      });
      return found(id);
    },

    async delete(actor: SignedIn, id: string): Promise<void> {
      await change(actor, id, actor.organizationId, async ({ name }, trx) => {
        await applications.delete(id, trx);
        return { action: "applications.delete", details: { name } };
      });
      forgetKeys();
    },

    async setStatus(actor: SignedIn, id: string, status: ApplicationStatus): Promise<OwnedApplication> {
      await change(actor, id, actor.isAdmin ? null : actor.organizationId, async (row, trx) => {
        if (!actor.isAdmin) refuseForeignStatus(row.status, status);
        const reviewed = actor.isAdmin ? { reviewed_at: status === "active" ? clock.now() : null } : {};
        await applications.update(id, { status, ...reviewed }, trx);
        if (actor.isAdmin && row.status !== status && row.created_by !== actor.userId)
          await tellOwner(row, status, trx);
        return { action: "applications.set_status", details: { from: row.status, to: status } };
      });
      forgetKeys();
      return found(id);
    },

    /** Creates a new secret. The previous one stays valid for a day; an older one ends at once. */
    async regenerateSecret(actor: SignedIn, id: string) {
      refuseLimitedKey(actor);
      const secret = newSecret("secret", random);
      const graceEnds = new Date(clock.now().getTime() + GRACE);
      await change(actor, id, actor.organizationId, async ({ client_type, secret_hash }, trx) => {
        if (client_type === "public")
          throw new AppError(409, "applications.public", "A public application has no secret: it could not keep one.");
        const previous = { previous_secret_hash: secret_hash, previous_secret_expires_at: graceEnds };
        await applications.update(id, { secret_hash: hashSecret(secret), ...previous }, trx);
        return { action: "applications.regenerate_secret" };
      });
      return { row: await found(id), secret, graceEnds };
    },
  };
}

export type ApplicationUseCases = ReturnType<typeof createApplications>;

/** Returns the 404 error `applications.not_found`. */
export function noSuchApplication(): AppError {
  return notFound("There is no application with this id.", "applications.not_found");
}

function refuseBadAddresses(uris: readonly string[]): void {
  for (const [index, uri] of uris.entries()) {
    const fault = faultOf(uri);
    if (fault) throw invalidRequest(`redirect_uris is not valid: ${fault}.`, { param: `redirect_uris.${index}` });
  }
}

function refuseDeceptiveName(name: string, productName: string): void {
  const fault = publicNameFault(name, productName);
  if (fault !== null) throw invalidRequest(`name is not valid: ${fault}.`, { param: "name" });
}

/**
 * Returns whether the change shows users something that was not reviewed: other texts, more redirect URIs or more
 * scopes.
 */
function isNews(row: ApplicationRow, change: Updateable<Applications>): boolean {
  const added = (now: readonly string[], then: readonly string[]) => now.some((item) => !then.includes(item));
  return (
    SHOWN.some((field) => change[field] !== undefined && change[field] !== row[field]) ||
    added((change.redirect_uris as string[] | undefined) ?? [], row.redirect_uris) ||
    added((change.scopes as string[] | undefined) ?? [], row.scopes)
  );
}

function refuseForeignStatus(from: string, to: string): void {
  if (!OWN.includes(to))
    throw new AppError(403, "applications.status_denied", `Only an admin of the platform can set the status ${to}.`);
  if (!OWN.includes(from))
    throw new AppError(409, "applications.not_yours_to_switch", `The application is ${from}; an admin decides on it.`);
}

function tooMany(): AppError {
  return new AppError(409, "applications.limit_reached", `An organization can have ${MOST} applications.`, {
    details: { limit: MOST },
  });
}
