import { impersonatorOf, type SignedInActor } from "../core/auth/actor.ts";
import { errors } from "../core/errors/index.ts";
import { createItemList } from "../core/item-list.ts";
import type { Call } from "./call.ts";

/** A call that runs, and what aborts it. */
export type RunningCall = {
  call: Pick<Call, "id" | "elapsedMs" | "progress" | "exchange">;
  /** Who made it; null for callers without an account. */
  caller: SignedInActor | null;
  abort: AbortController;
};

/** The running calls of this process, so that they can be aborted when it or their caller stops them, or their caller may no longer call. */
export function createRunningCalls() {
  const { add, count, list } = createItemList<RunningCall>();
  return {
    /** Adds a new call. Returns the function to call once when it has ended. */
    start: add,
    /** Returns the call with this id; undefined if it does not run in this process. */
    find: (id: string): RunningCall | undefined => list().find(({ call }) => call.id === id),
    /** Aborts all running calls with `shutting_down`. */
    abortAll(): void {
      const reason = errors.shuttingDown();
      for (const { abort } of list()) abort.abort(reason);
    },
    list,
    /** The calls of callers with an account. */
    listWithCaller: () =>
      list().filter((call): call is RunningCall & { caller: SignedInActor } => call.caller !== null),
    count,
  };
}

export type RunningCalls = ReturnType<typeof createRunningCalls>;

/** Who wants to stop calls: the API key, where they use one; null for somebody who may stop none. */
export type Stopper = { userId: string; keyId: string | null } | null;

/** Returns who wants to stop calls: an admin may stop none as another user. */
export function toStopper(actor: SignedInActor): Stopper {
  return impersonatorOf(actor) === null ? { userId: actor.userId, keyId: keyIdOf(actor) } : null;
}

/** Whether somebody may stop a call: its user, but an API key only what was called with the same key. */
export function mayStop(stopper: Stopper, { caller }: RunningCall): boolean {
  if (stopper === null || caller === null) return false;
  return stopper.keyId === null ? caller.userId === stopper.userId : keyIdOf(caller) === stopper.keyId;
}

function keyIdOf({ credential }: SignedInActor): string | null {
  return credential.type === "key" ? credential.id : null;
}
