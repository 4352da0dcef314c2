import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { hasPermission } from "../../platform/core/auth/permissions.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import { isUsable } from "../backends/backend-health.ts";
import { type FindOwnKeys, findOwnKey, NO_OWN_KEYS, type OwnKeys } from "../backends/own-keys.ts";
import type { Backend } from "../backends/registry.ts";
import { keepPermitted, type MayCallElsewhere } from "./stay-here.ts";

/** The backends to which a call may go, and the keys of its organization. */
export type UsableBackends = { backends: Backend[]; ownKeys: OwnKeys };
type Lookups = { mayCallElsewhere: MayCallElsewhere; findOwnKeys: FindOwnKeys };

/**
 * Returns those of the backends to which calls of the organization may go. Asks for the keys of the organization only if one of
 * them takes such keys.
 */
export function keepUsable(
  backends: Backend[],
  organizationId: string,
  { mayCallElsewhere, findOwnKeys }: Lookups,
): UsableBackends | Promise<UsableBackends> {
  const permitted = keepPermitted(backends, organizationId, mayCallElsewhere);
  return permitted instanceof Promise
    ? permitted.then((kept) => withOwnKeys(kept, organizationId, findOwnKeys))
    : withOwnKeys(permitted, organizationId, findOwnKeys);
}

function withOwnKeys(
  backends: Backend[],
  organizationId: string,
  findOwnKeys: FindOwnKeys,
): UsableBackends | Promise<UsableBackends> {
  if (backends.every(({ ownKeys }) => ownKeys === "off")) return { backends, ownKeys: NO_OWN_KEYS };
  const keep = (ownKeys: OwnKeys) => ({ backends: backends.filter((backend) => hasKeyFor(backend, ownKeys)), ownKeys });
  const found = findOwnKeys(organizationId);
  return found instanceof Promise ? found.then(keep) : keep(found);
}

/** Returns whether an organization with these keys may call a backend: one that requires such a key exists for no other. */
export function hasKeyFor(backend: Backend, ownKeys: OwnKeys): boolean {
  return backend.ownKeys !== "required" || findOwnKey({ ownKeys }, backend) !== null;
}

/**
 * Returns backends with those first at which the organization uses its own key. They stay behind the others while they
 * probably do not answer, and in their order among each other.
 */
export function putOwnKeysFirst({ backends, ownKeys }: UsableBackends, nowMs: number): Backend[] {
  if (ownKeys.size === 0 || backends.length < 2) return backends;
  const isLate = (backend: Backend) => findOwnKey({ ownKeys }, backend) === null || !isUsable(backend, nowMs);
  return backends.toSorted((a, b) => Number(isLate(a)) - Number(isLate(b)));
}

/** Returns whether a call is sent with the organization's own key, whichever of its backends answers. */
export function usesOnlyOwnKeys({ backends, ownKeys }: UsableBackends): boolean {
  return backends.length > 0 && backends.every((backend) => findOwnKey({ ownKeys }, backend) !== null);
}

/**
 * Returns the error for a model that only backends run which require the organization's own key. It says what the caller's role
 * can do.
 */
export function ownKeyRequired(
  modelId: string,
  backends: readonly Backend[],
  actor: Pick<SignedInActor, "role"> | undefined,
): AppError {
  const providers = [...new Set(backends.flatMap(({ provider }) => provider ?? []))];
  const named = providers.join(" or ");
  const advice =
    actor !== undefined && hasPermission(actor.role, "manage_organization")
      ? `Set it under Organization > Provider keys or with \`feather provider-keys set ${providers[0] ?? ""}\`.`
      : "Ask an admin of your organization to set it.";
  return errors.ownKeyRequired(
    `${modelId} can only be called with your organization's own key for ${named}. ${advice}`,
    {
      param: "model",
      details: { providers },
    },
  );
}
