import { impersonatorOf, type SignedInActor } from "../../platform/core/auth/actor.ts";
import { readCredential } from "../../platform/core/auth/credentials.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { createItemList } from "../../platform/core/item-list.ts";
import { hashSecret, parseSecretKind, type SecretKind } from "../../platform/core/secrets/secrets.ts";
import type { Call } from "../call.ts";

/** A call that starts, and the controller that aborts it. */
type StartedCall = {
  call: Pick<Call, "id" | "elapsedMs" | "progress" | "exchange">;
  /** The caller; null for callers without an account. */
  caller: SignedInActor | null;
  abort: AbortController;
};
/** A call that runs. */
export type RunningCall = StartedCall & {
  /** Returns the kind and hash of the secret in its headers; null without one. It is computed at the first call. */
  secret(): CallSecret | null;
};
/** The kind of a secret, null for a malformed one, and its hash. */
export type CallSecret = { kind: SecretKind | null; hash: Buffer };

/**
 * Creates the registry of the running calls of this process. Calls are aborted through it when the process stops, when
 * their caller stops them, or when the caller may no longer make calls.
 */
export function createRunningCalls() {
  const { add, count, list } = createItemList<RunningCall>();
  return {
    /** Adds a new call. Returns the function to call once when it has ended. */
    start: (call: StartedCall) => add({ ...call, secret: keepFirst(() => readSecret(call)) }),
    /** Returns the call with this id; undefined if it does not run in this process. */
    find: (id: string): RunningCall | undefined => list().find(({ call }) => call.id === id),
    /** Aborts all running calls with `shutting_down`. */
    abortAll(): void {
      const reason = errors.shuttingDown();
      for (const { abort } of list()) abort.abort(reason);
    },
    list,
    /** Returns the calls of callers with an account. */
    listWithCaller: () =>
      list().filter((call): call is RunningCall & { caller: SignedInActor } => call.caller !== null),
    count,
  };
}

export type RunningCalls = ReturnType<typeof createRunningCalls>;

function readSecret({ call: { exchange } }: StartedCall): CallSecret | null {
  const { authorization, "x-api-key": apiKeyHeader } = exchange.headers;
  const credential = readCredential({ authorization, apiKeyHeader, sessionCookie: undefined, query: undefined });
  return credential && { kind: parseSecretKind(credential.secret), hash: hashSecret(credential.secret) };
}

/** Returns a function that reads a value once, and returns it from then on. */
function keepFirst<T>(read: () => T): () => T {
  let kept: { value: T } | null = null;
  return () => {
    kept ??= { value: read() };
    return kept.value;
  };
}

/** The user who wants to stop calls, and the API key if one is used. Null for callers who may not stop any. */
export type Stopper = { userId: string; keyId: string | null } | null;

/** Returns who wants to stop calls. Null for an admin who impersonates a user. */
export function toStopper(actor: SignedInActor): Stopper {
  return impersonatorOf(actor) === null ? { userId: actor.userId, keyId: keyIdOf(actor) } : null;
}

/** Returns whether a caller may stop a call. Users may stop their own calls; API keys only calls with the same key. */
export function mayStop(stopper: Stopper, { caller }: RunningCall): boolean {
  if (stopper === null || caller === null) return false;
  return stopper.keyId === null ? caller.userId === stopper.userId : keyIdOf(caller) === stopper.keyId;
}

function keyIdOf({ credential }: SignedInActor): string | null {
  return credential.type === "key" ? credential.id : null;
}
