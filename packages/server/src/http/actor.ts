import { notFound, unauthorized } from "../shared/errors.ts";

/** Limits of an API key that calls are held to. */
export type KeyLimits = {
  allowedModels: readonly string[];
  ipAllowlist: readonly string[];
  maxConcurrency: number | null;
};

/** What proved who the caller is. */
export type Credential = { type: "session"; id: string } | { type: "key"; id: string; limits: KeyLimits };

/** A caller whose credential holds. */
export type SignedIn = {
  kind: "user";
  userId: string;
  organizationId: string;
  isAdmin: boolean;
  scopes: readonly string[];
  credential: Credential;
};

/** Who makes a request. */
export type Actor = { kind: "anonymous" } | SignedIn;

export const ANONYMOUS: Actor = { kind: "anonymous" };

/** Every scope there is; a session has them all. */
export const ALL_SCOPES: readonly string[] = ["user.read", "user.write", "api.access", "admin"];

/** Narrows the actor in handlers of operations that the contract opens to signed-in callers only. */
export function signedIn(actor: Actor): SignedIn {
  if (actor.kind !== "user") throw unauthorized();
  return actor;
}

/** The alternatives of an operation's `security`: scheme name to the scopes or roles it asks for. */
export type Security = readonly Readonly<Record<string, readonly string[]>>[];

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
