import { AppError, notFound, unauthorized } from "../shared/errors.ts";
import { allows, type Permission, type Role } from "./permissions.ts";

/** Limits of an API key that calls are held to. */
export type KeyLimits = {
  allowedModels: readonly string[];
  ipAllowlist: readonly string[];
  maxConcurrency: number | null;
  /** The most the key may spend before its spending starts again at zero, in nano-USD. */
  spendLimitNano: bigint | null;
  limitReset: "none" | "day" | "week" | "month";
  /** Whether it ends by itself. */
  expires: boolean;
};

/** The application that acts for a user, and the permission (OAuth grant) by which it may. */
export type Delegation = { applicationId: string; grantId: string };

/** What proved who the caller is. A key has a delegation if an application made it: it ends with that permission. */
export type Credential =
  | { type: "session"; id: string; impersonatedBy: string | null }
  | { type: "key"; id: string; limits: KeyLimits; delegation: Delegation | null }
  | { type: "oauth"; id: string; delegation: Delegation }
  | { type: "deployment"; id: string };

/** A caller whose credential holds. */
export type SignedIn = {
  kind: "user";
  userId: string;
  organizationId: string;
  /** The caller's role in that organization. */
  role: Role;
  isAdmin: boolean;
  emailVerified: boolean;
  scopes: readonly string[];
  credential: Credential;
  /** Whether the operator asks the user for a second factor and there is none: then the session may only set one up. */
  lacksSecondFactor?: boolean;
  /** Address that the request came from. */
  ip?: string;
  /** Whether this call is one of the platform's admins: then it is not done for the organization they are in. */
  forPlatform?: boolean;
};

/** A caller without a credential, or with one that does not count for the call. */
export type Anonymous = {
  kind: "anonymous";
  deploymentToken?: string;
  /** Scope that the presented credential lacks for the call, which treats its holder as a visitor therefore. */
  missingScope?: string;
};

/** Who makes a request. */
export type Actor = Anonymous | SignedIn;

export const ANONYMOUS: Actor = { kind: "anonymous" };

/** Every scope there is; a session has them all. */
export const ALL_SCOPES: readonly string[] = [
  "user.read",
  "user.write",
  "api.access",
  "keys.write",
  "deployments.write",
  "members.write",
  "billing.write",
  "admin",
];

/** Whether only admins of the platform may make a call. */
export function isForAdmins(security: Security): boolean {
  return security.length > 0 && security.every((schemes) => Object.values(schemes).every((of) => of.includes("admin")));
}

/** Narrows the actor where only signed-in callers are let in. */
export function signedIn(actor: Actor): SignedIn {
  if (actor.kind === "user") return actor;
  throw actor.missingScope === undefined ? unauthorized() : scopeDenied(actor.missingScope);
}

export function scopeDenied(scope: string): AppError {
  return new AppError(403, "key_scope_denied", `This credential lacks the scope ${scope}.`, { details: { scope } });
}

/** The alternatives of an operation's `security`: scheme name to the scopes or roles it asks for. */
export type Security = readonly Readonly<Record<string, readonly string[]>>[];

/** Id of the admin who acts as this user just now, or null. */
export function impersonatorOf({ credential }: SignedIn): string | null {
  return credential.type === "session" ? credential.impersonatedBy : null;
}

/** What the contract asks of a caller besides a credential: a permission of their role, and to be themselves. */
export type Demands = {
  permission: Permission | null;
  allowsImpersonation: boolean;
  /** Whether a session may make the call whose user lacks the second factor that the operator asks for. */
  allowsMissingSecondFactor: boolean;
};

/** Refuses members whose role lacks the permission, and admins who act as somebody else where that is not allowed. */
export function checkDemands(demands: Demands, actor: Actor): void {
  const { permission, allowsImpersonation, allowsMissingSecondFactor } = demands;
  if (actor.kind === "anonymous") return;
  if (actor.lacksSecondFactor && !allowsMissingSecondFactor)
    throw new AppError(
      403,
      "second_factor_required",
      "The operator of this site asks for a second factor. Set one up first: POST /api/auth/totp begins it.",
      { headers: { "x-should-retry": "false" } },
    );
  if (!allowsImpersonation && impersonatorOf(actor) !== null)
    throw new AppError(403, "impersonation_forbidden", "This cannot be done while acting as somebody else.");
  if (permission === null) return;
  if (!actor.emailVerified)
    throw new AppError(
      403,
      "email_not_verified",
      "Confirm your e-mail address first. POST /api/auth/email-verification sends the link again.",
      { headers: { "x-should-retry": "false" } },
    );
  if (!allows(actor.role, permission))
    throw new AppError(
      403,
      "organization_permission_denied",
      `Your role in this organization (${actor.role}) lacks the permission ${permission}. Ask one of its admins.`,
      { details: { permission, role: actor.role } },
    );
}

/**
 * Returns the actor as whom a call is made, or refuses the call. A presented credential is held to the scopes of its
 * scheme on every operation. Where visitors may call too, one that does not satisfy them counts for nothing: its holder
 * is treated as a visitor, never as the user. Admin operations do not exist for others.
 */
export function checkAccess(security: Security, actor: Actor): Actor {
  const isPublic = isOpenToVisitors(security);
  if (actor.kind === "anonymous") {
    if (isPublic) return actor;
    throw unauthorized();
  }
  const scheme = actor.credential.type === "session" ? "session" : "bearer";
  const accepted = security.flatMap(({ [scheme]: scopes }) => (scopes === undefined ? [] : [scopes]));
  if (accepted.some((scopes) => satisfies(actor, scopes))) return actor;
  const missing = accepted.flat().find((scope) => !actor.scopes.includes(scope));
  if (isPublic) return { kind: "anonymous", ...(missing !== undefined && { missingScope: missing }) };
  if (accepted.length === 0) throw unauthorized("This call needs a signed-in session.");
  if (missing === undefined || missing === "admin") throw notFound();
  throw scopeDenied(missing);
}

/** Whether a call needs no credential. */
export function isOpenToVisitors(security: Security): boolean {
  return security.length === 0 || security.some((alternative) => Object.keys(alternative).length === 0);
}

function satisfies({ scopes: held, isAdmin }: SignedIn, scopes: readonly string[]): boolean {
  return scopes.every((scope) => held.includes(scope) && (scope !== "admin" || isAdmin));
}
