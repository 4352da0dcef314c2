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

/** What proved who the caller is. */
export type Credential =
  | { type: "session"; id: string; impersonatedBy: string | null }
  | { type: "key"; id: string; limits: KeyLimits }
  | { type: "oauth"; id: string; applicationId: string }
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
  /** Address that the request came from. */
  ip?: string;
  /** Whether this call is one of the platform's admins: then it is not done for the organization they are in. */
  forPlatform?: boolean;
};

/** Who makes a request. */
export type Actor = { kind: "anonymous"; deploymentToken?: string } | SignedIn;

export const ANONYMOUS: Actor = { kind: "anonymous" };

/** Every scope there is; a session has them all. */
export const ALL_SCOPES: readonly string[] = ["user.read", "user.write", "api.access", "admin"];

/** Whether only admins of the platform may make a call. */
export function isForAdmins(security: Security): boolean {
  return security.length > 0 && security.every((schemes) => Object.values(schemes).every((of) => of.includes("admin")));
}

/** Narrows the actor in handlers of operations that the contract opens to signed-in callers only. */
export function signedIn(actor: Actor): SignedIn {
  if (actor.kind !== "user") throw unauthorized();
  return actor;
}

/** The alternatives of an operation's `security`: scheme name to the scopes or roles it asks for. */
export type Security = readonly Readonly<Record<string, readonly string[]>>[];

/** Id of the admin who acts as this user just now, or null. */
export function impersonatorOf({ credential }: SignedIn): string | null {
  return credential.type === "session" ? credential.impersonatedBy : null;
}

/** What the contract asks of a caller besides a credential: a permission of their role, and to be themselves. */
export type Demands = { permission: Permission | null; allowsImpersonation: boolean };

/** Refuses members whose role lacks the permission, and admins who act as somebody else where that is not allowed. */
export function checkDemands({ permission, allowsImpersonation }: Demands, actor: Actor): void {
  if (actor.kind === "anonymous") return;
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

/** Refuses an actor whom the contract does not let call an operation. Admin operations do not exist for others. */
export function checkAccess(security: Security, actor: Actor, scopeDenied: (scope: string) => Error): void {
  if (security.length === 0 || security.some((alternative) => Object.keys(alternative).length === 0)) return;
  if (actor.kind === "anonymous") throw unauthorized();
  const scheme = actor.credential.type === "session" ? "session" : "bearer";
  const needed = security.find((alternative) => scheme in alternative)?.[scheme];
  if (!needed) throw unauthorized("This call needs a signed-in session.");
  if (needed.includes("admin") && !actor.isAdmin) throw notFound();
  const missing = needed.find((scope) => !actor.scopes.includes(scope));
  if (missing !== undefined) throw scopeDenied(missing);
}
