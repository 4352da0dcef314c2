import { type AppError, errors } from "../errors/index.ts";
import { hasPermission, type Permission, type Role } from "./permissions.ts";

/** Limits of an API key. */
export type KeyLimits = {
  allowedModels: readonly string[];
  ipAllowlist: readonly string[];
  maxConcurrency: number | null;
  /** The maximum spending per reset interval, in nano-USD. */
  spendLimitNano: bigint | null;
  limitReset: "none" | "day" | "week" | "month";
  /** Whether the key has an expiry date. */
  expires: boolean;
};

/** The application that acts for a user, and the OAuth grant that allows it. */
export type Delegation = { applicationId: string; grantId: string };

/** How the caller was authenticated. A key has a delegation if an application created it; it ends with that grant. */
export type Credential =
  | { type: "session"; id: string; impersonatedBy: string | null }
  | { type: "key"; id: string; limits: KeyLimits; delegation: Delegation | null }
  | { type: "oauth"; id: string; delegation: Delegation }
  | { type: "deployment"; id: string };

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
  /**
   * Whether the operator requires a second factor that the user has not set up: the session may then do nothing else.
   */
  lacksSecondFactor?: boolean;
  /** Address that the request came from. */
  ip?: string;
  /** Whether this call is for platform admins; it is then not recorded under the admin's own organization. */
  forPlatform?: boolean;
};

/** A caller without a credential, or with one that is not accepted for the call. */
export type AnonymousActor = {
  kind: "anonymous";
  deploymentToken?: string;
  /** Scope that the presented credential lacks for the call, so that its holder is treated as a visitor. */
  missingScope?: string;
};

/** Who makes a request. */
export type Actor = AnonymousActor | SignedInActor;

/** A caller without any credential. */
export const ANONYMOUS: Actor = { kind: "anonymous" };

/** What the log says about a caller: the organization and, if there is one, the API key. */
export function toLogFields(actor: Actor | undefined): { organization_id?: string; api_key_id?: string } {
  if (actor?.kind !== "user") return {};
  const { organizationId, credential } = actor;
  return { organization_id: organizationId, ...(credential.type === "key" && { api_key_id: credential.id }) };
}

/** Whether only platform admins may make a call. */
export function isAdminOnly(security: Security): boolean {
  return (
    security.length > 0 &&
    security.every((schemes) => Object.values(schemes).every((scopes) => scopes.includes("admin")))
  );
}

/** Narrows the actor in handlers of operations that require a credential. Throws 401, or 403 for a missing scope. */
export function requireSignedIn(actor: Actor): SignedInActor {
  if (actor.kind === "user") return actor;
  throw actor.missingScope === undefined ? errors.unauthorized() : scopeDenied(actor.missingScope);
}

/** 403: the credential lacks a scope. */
export function scopeDenied(scope: string): AppError {
  return errors.keyScopeDenied(`This credential lacks the scope ${scope}.`, { details: { scope } });
}

/** The alternatives in an operation's `security`: required scopes or roles by scheme name. */
export type Security = readonly Readonly<Record<string, readonly string[]>>[];

/** Id of the admin who impersonates this user, or null. */
export function impersonatorOf({ credential }: SignedInActor): string | null {
  return credential.type === "session" ? credential.impersonatedBy : null;
}

/** What the contract requires of a caller besides a credential. */
export type AccessRequirements = {
  permission: Permission | null;
  allowsImpersonation: boolean;
  /** Whether a session may make the call although its user lacks the required second factor. */
  allowsMissingSecondFactor: boolean;
};

/**
 * Throws 403 when the caller's role lacks the permission, when the call forbids impersonation, and when the second
 * factor or a verified e-mail address is missing.
 */
export function checkRequirements(requirements: AccessRequirements, actor: Actor): void {
  const { permission, allowsImpersonation, allowsMissingSecondFactor } = requirements;
  if (actor.kind === "anonymous") return;
  if (actor.lacksSecondFactor && !allowsMissingSecondFactor) throw errors.secondFactorRequired();
  if (!allowsImpersonation && impersonatorOf(actor) !== null) throw errors.impersonationForbidden();
  if (permission === null) return;
  if (!actor.emailVerified) throw errors.emailNotVerified();
  if (!hasPermission(actor.role, permission))
    throw errors.organizationPermissionDenied(
      `Your role in this organization (${actor.role}) lacks the permission ${permission}. Ask one of its admins.`,
      { details: { permission, role: actor.role } },
    );
}

/**
 * Returns the actor for a call, or throws 401, 403 or 404. A presented credential must have the scopes of its scheme on
 * every operation. Where anonymous callers are allowed, a credential without them is ignored and its holder treated as
 * anonymous. Admin operations are 404 for everybody else.
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

/** Whether a call needs no credential. */
export function allowsAnonymous(security: Security): boolean {
  return security.length === 0 || security.some((alternative) => Object.keys(alternative).length === 0);
}

function hasScopes({ scopes: grantedScopes, isAdmin }: SignedInActor, scopes: readonly string[]): boolean {
  return scopes.every((scope) => grantedScopes.includes(scope) && (scope !== "admin" || isAdmin));
}
