import type { components } from "@feather/openapi/schema";
import type { Updateable } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { ApiKeys } from "../../db/schema.generated.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, invalidRequest, notFound } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import { hashSecret, newSecret, type RandomBytes } from "../../shared/secrets.ts";
import type { Audit } from "../audit/audit.ts";
import type { PlansRepository } from "../plans/plans.repository.ts";
import type { ApiKeyRow, ApiKeysRepository } from "./api-keys.repository.ts";
import { delegationColumns, delegationOf } from "./delegation.ts";
import { notTheMaker, refuseLoosening } from "./key-changes.ts";
import { refuseLimitedKey } from "./key-limits.ts";
import { refuseBadNetworks } from "./networks.ts";

type ApiKeyCreate = components["schemas"]["ApiKeyCreate"];
type ApiKeyUpdate = components["schemas"]["ApiKeyUpdate"];
type KeyColumns = Omit<ApiKeyUpdate, "name" | "expires_at"> & { name?: string; expires_at?: Date | null };
type KeyWithSecret = { row: ApiKeyRow; secret: string };

type Deps = {
  db: Database;
  keys: ApiKeysRepository;
  plans: PlansRepository;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  forgetKeys(): void;
  random?: RandomBytes;
};

/** How long the previous secret stays valid after a rotation by default, in seconds. */
const USUAL_GRACE = 86_400;

/** Creates, changes, rotates and deletes API keys. */
export function createApiKeys({ db, keys, plans, audit, clock, ids, forgetKeys, random }: Deps) {
  /** Changes a key of the organization and records it in the audit log. */
  async function change(
    actor: SignedIn,
    id: string,
    act: { action: string; details?: Record<string, unknown> },
    values: (row: ApiKeyRow, trx: Database) => Updateable<ApiKeys> | Promise<Updateable<ApiKeys>>,
  ): Promise<ApiKeyRow> {
    refuseLimitedKey(actor);
    const changed = await db.transaction().execute(async (trx) => {
      const row = await keys.lock(actor.organizationId, id, trx);
      if (!row) throw noSuchKey();
      const wanted = await values(row, trx);
      if (Object.keys(wanted).length === 0) return row;
      const updated = await keys.update(id, wanted, trx);
      await audit.record({ actor, target: id, ...act }, trx);
      return updated;
    });
    forgetKeys();
    return changed;
  }

  return {
    async create(actor: SignedIn, body: ApiKeyCreate): Promise<KeyWithSecret> {
      refuseLimitedKey(actor);
      const { plan } = await plans.current(actor.organizationId);
      const secret = newSecret("rc", random);
      const scopes = body.scopes ?? ["api.access" as const];
      const values = columns({ ...body, scopes }, actor); // the default scope is checked like any other
      if (values.expires_at && values.expires_at <= clock.now())
        throw invalidRequest("expires_at is not valid: it lies in the past.", { param: "expires_at" });
      const row = await db.transaction().execute(async (trx) => {
        const key = {
          ...values,
          scopes,
          id: ids.next("key"),
          organization_id: actor.organizationId,
          created_by: actor.userId,
          name: body.name.trim(),
          ...storedSecret(secret),
          ...(await delegationColumns(actor, trx)),
          created_at: clock.now(),
        };
        const made = await keys.create(key, plan.api_keys_max, trx);
        if (!made) throw tooManyKeys(plan.name, plan.api_keys_max);
        const details = { name: made.name, scopes };
        await audit.record({ actor, action: "api_keys.create", target: made.id, details }, trx);
        return made;
      });
      forgetKeys(); // the lookup cache may hold a miss for this secret
      return { row, secret };
    },

    update(actor: SignedIn, id: string, body: ApiKeyUpdate): Promise<ApiKeyRow> {
      const values = columns(body, actor);
      return change(actor, id, { action: "api_keys.update", details: { ...body } }, (row) => {
        refuseLoosening(actor, row, body);
        return values;
      });
    },

    /**
     * Creates a new secret. The previous one stays valid for `graceSeconds`; an older one ends. A key that an
     * application rotates is tied to the application's grant from then on, because the application knows the secret.
     */
    async rotate(actor: SignedIn, id: string, graceSeconds = USUAL_GRACE): Promise<KeyWithSecret> {
      const secret = newSecret("rc", random);
      const graceEnds = new Date(clock.now().getTime() + graceSeconds * 1000);
      const act = { action: "api_keys.rotate", details: { grace_s: graceSeconds } };
      const row = await change(actor, id, act, async ({ created_by, secret_hash, scopes }, trx) => {
        if (created_by !== actor.userId) throw notTheMaker("only they can rotate it");
        refuseForeignScopes(scopes, actor);
        const previous =
          graceSeconds > 0
            ? { previous_secret_hash: secret_hash, previous_secret_expires_at: graceEnds }
            : { previous_secret_hash: null, previous_secret_expires_at: null };
        const delegation = delegationOf(actor) === null ? {} : await delegationColumns(actor, trx);
        return { ...storedSecret(secret), ...previous, ...delegation };
      });
      return { row, secret };
    },

    async delete(actor: SignedIn, id: string): Promise<void> {
      await change(actor, id, { action: "api_keys.delete" }, () => ({ deleted_at: clock.now() }));
    },
  };
}

export type ApiKeyUseCases = ReturnType<typeof createApiKeys>;

function storedSecret(secret: string) {
  return { prefix: secret.slice(0, 7), last4: secret.slice(-4), secret_hash: hashSecret(secret) };
}

function columns(body: ApiKeyUpdate, user: SignedIn): KeyColumns {
  if (body.scopes) refuseForeignScopes(body.scopes, user);
  if (body.ip_allowlist) refuseBadNetworks(body.ip_allowlist);
  const { name, expires_at, ...rest } = body;
  return {
    ...rest,
    ...(name !== undefined && { name: name.trim() }),
    ...(expires_at !== undefined && { expires_at: expires_at === null ? null : new Date(expires_at) }),
  };
}

/** Throws `key_scope_denied` for scopes that the caller does not have. */
function refuseForeignScopes(scopes: readonly string[], user: SignedIn): void {
  const scope = scopes.find((wanted) => !user.scopes.includes(wanted) || (wanted === "admin" && !user.isAdmin));
  if (scope !== undefined)
    throw new AppError(403, "key_scope_denied", `You cannot give a key the scope ${scope}, which you lack yourself.`, {
      param: "scopes",
      details: { scope },
    });
}

/** 404 `api_keys.not_found`. */
export function noSuchKey(): AppError {
  return notFound("There is no API key with this id.", "api_keys.not_found");
}

function tooManyKeys(plan: string, max: number): AppError {
  return new AppError(
    409,
    "api_keys.limit_reached",
    `The plan ${plan} allows ${max} keys. Delete one, or change the plan.`,
    { details: { limit: max } },
  );
}
