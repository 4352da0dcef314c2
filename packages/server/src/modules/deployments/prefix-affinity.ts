import { createHash } from "node:crypto";
import type { ParsedRequest } from "../../gateway/index.ts";

/** A replica as the choice needs it. */
type Candidate = { name: string; inFlight: number; failures: number };

/** A replica with the prompt's beginning in its cache may have this many more calls than the least busy one. */
const MAX_EXTRA_CALLS = 4;
/** Characters of the beginning by which conversations are told apart. */
const PREFIX_LENGTH = 4_096;

/**
 * Returns the replicas for a call, best first, from a list that begins with the least busy one. Calls with the same
 * beginning go to the same replica, which has computed it already, unless it is much busier than another.
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

/** The beginning that the calls of a conversation share: its first messages; null where nothing is cached. */
function prefixOf({ kind, body }: Pick<ParsedRequest, "kind" | "body">): string | null {
  if (kind === "embedding") return null;
  const beginning = kind === "chat" ? firstMessages(body.messages) : body.prompt;
  return beginning === undefined ? null : JSON.stringify(beginning).slice(0, PREFIX_LENGTH);
}

/** Up to the first message of the user: what follows differs from call to call. */
function firstMessages(messages: unknown): unknown {
  if (!Array.isArray(messages)) return undefined;
  const first = messages.findIndex((message) => message?.role === "user");
  return messages.slice(0, first + 1);
}

/** Rendezvous hashing: when a replica comes or goes, only the calls that belong to it change their place. */
function scoreOf(prefix: string, name: string): string {
  return createHash("sha256").update(name).update("\0").update(prefix).digest("hex");
}
