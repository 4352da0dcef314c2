import type { components } from "@feather/openapi/schema";
import type { Updateable } from "kysely";
import type { PlansRepository } from "../../money/plans/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { delegationOf, lockDelegationColumns } from "../../platform/core/auth/delegation.ts";
import { refuseLimitedKey } from "../../platform/core/auth/refuse-limited-key.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { ApiKeys } from "../../platform/core/db/schema.generated.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Events } from "../../platform/core/events.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { refuseBadNetworks } from "../../platform/core/network/ip-allowlist.ts";
import { createSecret, hashSecret, type RandomBytes } from "../../platform/core/secrets/secrets.ts";
import { toApiKeyDto } from "./api-keys.dto.ts";
import type { ApiKeyRow, ApiKeysRepository } from "./api-keys.repository.ts";
import { refuseLoosening } from "./key-change-rules.ts";

type ApiKeyCreate = components["schemas"]["ApiKeyCreate"];
type ApiKeyUpdate = components["schemas"]["ApiKeyUpdate"];
type KeyColumns = Omit<ApiKeyUpdate, "name" | "expires_at"> & { name?: string; expires_at?: Date | null };
type KeyWithSecret = { row: ApiKeyRow; secret: string };

type Deps = {
  db: Database;
  apiKeysRepository: ApiKeysRepository;
  plansRepository: PlansRepository;
  audit: Audit;
  events: Events;
  clock: Clock;
  ids: Ids;
  invalidateApiKeys(): void;
  random?: RandomBytes;
};

/** How long the previous secret stays valid after a rotation by default, in seconds. */
const DEFAULT_GRACE_SECONDS = 86_400;

/** Creates, changes, rotates and deletes API keys. */
export function createApiKeys(deps: Deps) {
  return bind(deps, {
    create: createKey,
    update: updateKey,
    rotate: rotateKey,
    delete: deleteKey,
  });
}

export type ApiKeyUseCases = ReturnType<typeof createApiKeys>;

/** Changes a key of the organization and records it in the audit log. */
async function changeKey(
  deps: Deps,
  actor: SignedInActor,
  id: string,
  event: { action: string; details?: Record<string, unknown> },
  values: (row: ApiKeyRow, trx: Database) => Updateable<ApiKeys> | Promise<Updateable<ApiKeys>>,
): Promise<ApiKeyRow> {
  const { db, apiKeysRepository, audit, invalidateApiKeys } = deps;
  refuseLimitedKey(actor);
  const changed = await db.transaction().execute(async (trx) => {
    const row = await apiKeysRepository.lock(actor.organizationId, id, trx);
    if (!row) throw errors.apiKeys.notFound();
    const changes = await values(row, trx);
    if (Object.keys(changes).length === 0) return row;
    const updated = await apiKeysRepository.update(id, changes, trx);
    await audit.record({ actor, target: id, ...event }, trx);
    return updated;
  });
  invalidateApiKeys();
  return changed;
}

async function createKey(deps: Deps, actor: SignedInActor, body: ApiKeyCreate): Promise<KeyWithSecret> {
  const { db, apiKeysRepository, plansRepository, audit, clock, ids, invalidateApiKeys, random } = deps;
  refuseLimitedKey(actor);
  const { plan } = await plansRepository.findCurrent(actor.organizationId);
  const secret = createSecret("rc", random);
  const scopes = body.scopes ?? ["api.access" as const];
  const values = toColumns({ ...body, scopes }, actor); // the default scope is checked like any other
  if (values.expires_at && values.expires_at <= clock.now())
    throw errors.invalidRequest("expires_at is not valid: it lies in the past.", { param: "expires_at" });
  const row = await db.transaction().execute(async (trx) => {
    const key = {
      ...values,
      scopes,
      id: ids.next("key"),
      organization_id: actor.organizationId,
      created_by: actor.userId,
      name: body.name.trim(),
      ...toSecretColumns(secret),
      ...(await lockDelegationColumns(actor, trx)),
      created_at: clock.now(),
    };
    const created = await apiKeysRepository.create(key, plan.api_keys_max, trx);
    if (!created) throw apiKeyLimitReached(plan.name, plan.api_keys_max);
    await recordEvent(deps, "api_key.created", created, trx);
    const details = { name: created.name, scopes };
    await audit.record({ actor, action: "api_keys.create", target: created.id, details }, trx);
    return created;
  });
  invalidateApiKeys(); // the lookup cache may hold a miss for this secret
  return { row, secret };
}

function updateKey(deps: Deps, actor: SignedInActor, id: string, body: ApiKeyUpdate): Promise<ApiKeyRow> {
  const values = toColumns(body, actor);
  return changeKey(deps, actor, id, { action: "api_keys.update", details: { ...body } }, (row) => {
    refuseLoosening(actor, row, body);
    return values;
  });
}

/**
 * Creates a new secret. The previous one stays valid for `graceSeconds`; an older one ends. A key that an
 * application rotates is tied to the application's grant from then on, because the application knows the secret.
 */
async function rotateKey(
  deps: Deps,
  actor: SignedInActor,
  id: string,
  graceSeconds = DEFAULT_GRACE_SECONDS,
): Promise<KeyWithSecret> {
  const { clock, random } = deps;
  const secret = createSecret("rc", random);
  const graceEndDate = new Date(clock.now().getTime() + graceSeconds * 1000);
  const event = { action: "api_keys.rotate", details: { grace_s: graceSeconds } };
  const row = await changeKey(deps, actor, id, event, async ({ created_by, secret_hash, scopes }, trx) => {
    if (created_by !== actor.userId) throw errors.apiKeys.notTheMaker({ limit: "only they can rotate it" });
    refuseForeignScopes(scopes, actor);
    const previous =
      graceSeconds > 0
        ? { previous_secret_hash: secret_hash, previous_secret_expires_at: graceEndDate }
        : { previous_secret_hash: null, previous_secret_expires_at: null };
    const delegation = delegationOf(actor) === null ? {} : await lockDelegationColumns(actor, trx);
    return { ...toSecretColumns(secret), ...previous, ...delegation };
  });
  return { row, secret };
}

async function deleteKey(deps: Deps, actor: SignedInActor, id: string): Promise<void> {
  const { clock } = deps;
  await changeKey(deps, actor, id, { action: "api_keys.delete" }, async (row, trx) => {
    await recordEvent(deps, "api_key.deleted", row, trx);
    return { deleted_at: clock.now() };
  });
}

async function recordEvent(
  { apiKeysRepository, events, clock }: Deps,
  type: "api_key.created" | "api_key.deleted",
  { organization_id, id }: ApiKeyRow,
  trx: Database,
): Promise<void> {
  const key = await apiKeysRepository.find(organization_id, id, clock.now(), trx);
  if (key) await events.record(organization_id, { type, data: toApiKeyDto(key, clock.now()) }, trx);
}

function toSecretColumns(secret: string) {
  return { prefix: secret.slice(0, 7), last4: secret.slice(-4), secret_hash: hashSecret(secret) };
}

function toColumns(body: ApiKeyUpdate, user: SignedInActor): KeyColumns {
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
function refuseForeignScopes(scopes: readonly string[], user: SignedInActor): void {
  const scope = scopes.find(
    (candidate) => !user.scopes.includes(candidate) || (candidate === "admin" && !user.isAdmin),
  );
  if (scope !== undefined)
    throw errors.keyScopeDenied(`You cannot give a key the scope ${scope}, which you lack yourself.`, {
      param: "scopes",
      details: { scope },
    });
}

function apiKeyLimitReached(plan: string, max: number): AppError {
  return errors.apiKeys.limitReached({ plan, max }, { details: { limit: max } });
}
