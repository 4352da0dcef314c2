import { createHash } from "node:crypto";
import type { ParsedRequest } from "../../../gateway/index.ts";

/** The properties of a replica that the choice depends on. */
type Candidate = { name: string; inFlight: number; failures: number };

/** The number of calls that the preferred replica may have more than the least busy one. */
const MAX_EXTRA_CALLS = 4;
/** The number of characters of a prompt that decide which replica is preferred. */
const PREFIX_LENGTH = 4_096;

/**
 * Returns the replicas for a call, best first. `replicas` is sorted by load, the least busy one first. Calls with the same
 * prefix prefer the same replica, whose cache has the prefix, unless it is much busier than another one.
 */
export function preferSamePrefix<B extends Candidate>(
  replicas: readonly B[],
  request: Pick<ParsedRequest, "kind" | "body">,
): B[] {
  const prefix = replicas.length > 1 ? prefixOf(request) : null;
  if (prefix === null) return [...replicas];
  const leastBusy = Math.min(...replicas.map(({ inFlight }) => inFlight));
  const usable = replicas.filter((one) => one.failures === 0 && one.inFlight <= leastBusy + MAX_EXTRA_CALLS);
  const [preferred] = usable
    .map((replica) => ({ replica, score: scoreOf(prefix, replica.name) }))
    .sort((a, b) => (a.score < b.score ? 1 : -1));
  if (!preferred) return [...replicas];
  return [preferred.replica, ...replicas.filter((one) => one !== preferred.replica)];
}

/**
 * Returns the prefix that the calls of a conversation share: its first messages. Null for embeddings, for which replicas
 * cache nothing.
 */
function prefixOf({ kind, body }: Pick<ParsedRequest, "kind" | "body">): string | null {
  if (kind !== "chat" && kind !== "completion") return null;
  const beginning = kind === "chat" ? firstMessages(body.messages) : body.prompt;
  return beginning === undefined ? null : JSON.stringify(beginning).slice(0, PREFIX_LENGTH);
}

/** Returns the messages up to the first one of the user. The messages after it differ from call to call. */
function firstMessages(messages: unknown): unknown {
  if (!Array.isArray(messages)) return undefined;
  const first = messages.findIndex((message) => message?.role === "user");
  return messages.slice(0, first + 1);
}

/**
 * Rendezvous hashing: when a replica is added or removed, the preference changes only for the calls that prefer this
 * replica.
 */
function scoreOf(prefix: string, name: string): string {
  return createHash("sha256").update(name).update("\0").update(prefix).digest("hex");
}
