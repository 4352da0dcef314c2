import { type AppError, errors } from "../errors/index.ts";
import { hasPermission, type Permission, type Role } from "./permissions.ts";

/** Limits of an API key. */
export type KeyLimits = {
  /** Checked by `gateway/stages/admit.ts`; empty for all models. */
  allowedModels: readonly string[];
  /** Checked by `http/authenticate.ts`; empty for all addresses. */
  ipAllowlist: readonly string[];
  /** Units at once, counted by `gateway/limits/units.ts`; null without a limit. */
  maxConcurrency: number | null;
  /** Whether its calls wait behind those of others where calls wait, as `gateway/limits/priority.ts` says. */
  isBatch: boolean;
  /** The maximum spending per reset interval, in nano-USD. Checked by `reserve_credits` in the database. */
  spendLimitNano: bigint | null;
  limitReset: "none" | "day" | "week" | "month";
  /** Whether the key has an expiry date, which `accounts/identity/sessions/authenticator.ts` checks. */
  expires: boolean;
};

/** The application that acts for a user, and the OAuth grant that allows it. */
export type Delegation = { applicationId: string; grantId: string };

/**
 * How the caller was authenticated. A key has a delegation if an application created it, and is invalid once the
 * delegation's grant ends.
 */
export type Credential =
  | { type: "session"; id: string; impersonatedBy: string | null }
  | { type: "key"; id: string; limits: KeyLimits; delegation: Delegation | null }
  | { type: "oauth"; id: string; delegation: Delegation }
  | { type: "deployment"; id: string }
  /** The server itself, which makes vectors for a collection in the name of the person who added a document. */
  | { type: "collection"; id: string };

/** A caller with a valid credential. */
export type SignedInActor = {
  kind: "user";
  userId: string;
  organizationId: string;
  /** The caller's role in that organization. */
  role: Role;
  isAdmin: boolean;
  emailVerified: boolean;
  scopes: readonly string[];
  credential: Credential;
  /** Whether the operator requires a second factor that the user has not set up. The session may then only set it up. */
  lacksSecondFactor?: boolean;
  /** Address that the request came from. */
  ip?: string;
  /** Whether this call is for platform admins. It is then not recorded under the admin's own organization. */
  forPlatform?: boolean;
};

/** A caller without a credential, or with one that the call does not accept. */
export type AnonymousActor = {
  kind: "anonymous";
  deploymentToken?: string;
  /** The scope that the credential lacks for the call, because of which its holder is treated as anonymous. */
  missingScope?: string;
};

/** Who makes a request. */
export type Actor = AnonymousActor | SignedInActor;

/** A caller without any credential. */
export const ANONYMOUS: Actor = { kind: "anonymous" };

/** Returns the fields for the log: the caller's organization and, if one was used, the API key. */
export function toLogFields(actor: Actor | undefined): { organization_id?: string; api_key_id?: string } {
  if (actor?.kind !== "user") return {};
  const { organizationId, credential } = actor;
  return { organization_id: organizationId, ...(credential.type === "key" && { api_key_id: credential.id }) };
}

/** Returns whether only platform admins may make a call. */
export function isAdminOnly(security: Security): boolean {
  return (
    security.length > 0 &&
    security.every((schemes) => Object.values(schemes).every((scopes) => scopes.includes("admin")))
  );
}

/**
 * Returns the actor as a signed-in one, in handlers of operations that require a credential. Throws 401, or 403 for a
 * missing scope.
 */
export function requireSignedIn(actor: Actor): SignedInActor {
  if (actor.kind === "user") return actor;
  throw actor.missingScope === undefined ? errors.unauthorized() : scopeDenied(actor.missingScope);
}

/** Returns an error with status 403: the credential lacks a scope. */
export function scopeDenied(scope: string): AppError {
  return errors.keyScopeDenied(`This credential lacks the scope ${scope}.`, { details: { scope } });
}

/** The alternatives in an operation's `security`: required scopes or roles by scheme name. */
export type Security = readonly Readonly<Record<string, readonly string[]>>[];

/** Returns the id of the admin who impersonates this user, or null. */
export function impersonatorOf({ credential }: SignedInActor): string | null {
  return credential.type === "session" ? credential.impersonatedBy : null;
}

/** The requirements of the contract in addition to a credential. */
export type AccessRequirements = {
  permission: Permission | null;
  allowsImpersonation: boolean;
  /** Whether a session may make the call although its user has not set up the required second factor. */
  allowsMissingSecondFactor: boolean;
};

/**
 * Throws 403 if the caller's role lacks the permission, if the call forbids impersonation, or if the second factor or a
 * verified e-mail address is missing.
 */
export function checkRequirements(requirements: AccessRequirements, actor: Actor): void {
  const { permission, allowsImpersonation, allowsMissingSecondFactor } = requirements;
  if (actor.kind === "anonymous") return;
  if (actor.lacksSecondFactor && !allowsMissingSecondFactor) throw errors.secondFactorRequired();
  if (!allowsImpersonation && impersonatorOf(actor) !== null) throw errors.impersonationForbidden();
  if (permission === null) return;
  if (!actor.emailVerified) throw errors.emailNotVerified();
  requirePermission(actor, permission);
}

/** Throws 403 `organization_permission_denied` if the caller's role lacks the permission. */
export function requirePermission({ role }: SignedInActor, permission: Permission): void {
  if (!hasPermission(role, permission))
    throw errors.organizationPermissionDenied(
      `Your role in this organization (${role}) lacks the permission ${permission}. Ask one of its admins.`,
      { details: { permission, role } },
    );
}

/**
 * Returns the actor for a call, or throws 401, 403 or 404. A credential must have the scopes of its scheme on every
 * operation. If anonymous callers are allowed, the holder of a credential without these scopes is treated as anonymous.
 * Admin operations respond 404 to everybody else.
 */
export function checkAccess(security: Security, actor: Actor): Actor {
  const isPublic = allowsAnonymous(security);
  if (actor.kind === "anonymous") {
    if (isPublic) return actor;
    throw errors.unauthorized();
  }
  const scheme = actor.credential.type === "session" ? "session" : "bearer";
  const accepted = security.flatMap(({ [scheme]: scopes }) => (scopes === undefined ? [] : [scopes]));
  if (accepted.some((scopes) => hasScopes(actor, scopes))) return actor;
  const missing = accepted.flat().find((scope) => !actor.scopes.includes(scope));
  if (isPublic) return { kind: "anonymous", ...(missing !== undefined && { missingScope: missing }) };
  if (accepted.length === 0) throw errors.unauthorized("This call needs a signed-in session.");
  if (missing === undefined || missing === "admin") throw errors.notFound();
  throw scopeDenied(missing);
}

/** Returns whether a call needs no credential. */
export function allowsAnonymous(security: Security): boolean {
  return security.length === 0 || security.some((alternative) => Object.keys(alternative).length === 0);
}

function hasScopes({ scopes: grantedScopes, isAdmin }: SignedInActor, scopes: readonly string[]): boolean {
  return scopes.every((scope) => grantedScopes.includes(scope) && (scope !== "admin" || isAdmin));
}
