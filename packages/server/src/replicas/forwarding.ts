import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent } from "undici";
import { bind } from "../platform/core/bind.ts";
import { AppError, errors } from "../platform/core/errors/index.ts";
import { isVersionRefusal, leaderHasOtherVersion, leaderUnavailable } from "../platform/core/peers/peer-call.ts";
import { listRelayedHeaders, relay } from "../platform/core/peers/relay.ts";
import type { Replicas } from "../platform/core/replicas/replicas.ts";
import { LEADER_OPERATIONS } from "./leader-operations.ts";

type Deps = {
  replicas: Pick<Replicas, "isLeader" | "leader" | "others">;
  token: string;
  /** Called before a relayed response is sent. The request may not have been read completely. */
  prepareAnswer(request: IncomingMessage, response: ServerResponse): void;
};
type Context = Deps & {
  agent: Agent;
  /** The requests that this replica has received from other replicas. */
  received: WeakSet<IncomingMessage>;
  /** The requests that are being forwarded, except those that only read. */
  forwarded: Set<IncomingMessage>;
};

/** Fastify stores the URL of a request as it was received when it rewrites it. */
type ForwardedRequest = IncomingMessage & { originalUrl?: string };

/** The prefix of the paths of forwarded requests. The original path follows. */
export const FORWARD_PATH = "/forward";

/** Headers of forwarded requests: the address of the caller's connection, and the caller's own credential. */
const ADDRESS_HEADER = "feather-caller-address";
const CREDENTIAL_HEADER = "feather-caller-authorization";
const OWN_HEADERS = new Set(["authorization", ADDRESS_HEADER, CREDENTIAL_HEADER]);

const CONNECT_TIMEOUT_MS = 3_000;
/** The number of connections to another replica. Each forwarded request needs one. */
const MAX_CONNECTIONS = 4_096;
const TARGET_CHECK_MS = 1_000;
const RETRY_AFTER_SECONDS = 2;

/** Creates the forwarding of requests that only the leader or another replica can answer, and the reception of forwarded requests. */
export function createForwarding(deps: Deps) {
  const agent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, connections: MAX_CONNECTIONS });
  const context: Context = { ...deps, agent, received: new WeakSet(), forwarded: new Set() };
  return bind(context, {
    forward,
    forwardTo,
    receive,
    /** Returns whether another replica has forwarded a request to this one. */
    isForwarded: ({ received }: Context, request: IncomingMessage) => received.has(request),
    /** Returns the number of calls and changes that are being forwarded. A stopping server waits for them. */
    count: ({ forwarded }: Context) => forwarded.size,
    close,
  });
}

/**
 * Relays a request to the leader if only the leader can answer it. Null if it is answered here. Rejects with
 * `unavailable` if there is no leader or it does not respond. A request that was forwarded to this replica is not forwarded
 * again.
 */
function forward(
  context: Context,
  operationId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> | null {
  const { replicas, received } = context;
  if (replicas.isLeader() || !(operationId in LEADER_OPERATIONS)) return null;
  const leader = received.has(request) ? null : replicas.leader();
  if (leader === null) return Promise.reject(leaderUnavailable());
  const { address } = leader;
  return relayTo(context, request, response, {
    address,
    isThere: () => replicas.leader()?.address === address,
    unavailable: leaderUnavailable,
  });
}

/** Relays a request to another replica. Rejects with `unavailable` if it does not respond. */
function forwardTo(
  context: Context,
  replicaId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const find = () => context.replicas.others().find(({ id }) => id === replicaId);
  const address = find()?.address;
  if (address === undefined) return Promise.reject(replicaUnavailable());
  return relayTo(context, request, response, {
    address,
    isThere: () => find()?.address === address,
    unavailable: replicaUnavailable,
  });
}

function replicaUnavailable(cause?: unknown): AppError {
  return errors.unavailable("The server of this installation that has it does not respond. Try again in a moment.", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** The replica that a request is relayed to. */
type Target = {
  address: string;
  /** Returns whether it is still the one that answers such requests. */
  isThere(): boolean;
  /** Returns the error for the caller if it does not respond. */
  unavailable(cause: unknown): AppError;
};

async function relayTo(
  { agent, token, forwarded, prepareAnswer }: Context,
  request: ForwardedRequest,
  response: ServerResponse,
  { address, isThere, unavailable }: Target,
): Promise<void> {
  const { method, originalUrl = request.url } = request;
  const target = { dispatcher: agent, origin: address, path: FORWARD_PATH + originalUrl };
  const headers = toForwardedHeaders(request, token);
  const gone = new AbortController();
  // The replica decides how long a response may take. The request is aborted only if it is no longer there.
  const timer = setInterval(() => !isThere() && gone.abort(), TARGET_CHECK_MS);
  if (method !== "GET" && method !== "HEAD") forwarded.add(request);
  try {
    await relay(
      request,
      response,
      { ...target, headers },
      {
        signal: gone.signal,
        refusalOf: (status, received) => (isVersionRefusal(status, received) ? leaderHasOtherVersion() : null),
        onStart: () => prepareAnswer(request, response),
      },
    );
  } catch (error) {
    throw error instanceof AppError ? error : unavailable(error);
  } finally {
    clearInterval(timer);
    forwarded.delete(request);
  }
}

function toForwardedHeaders(request: IncomingMessage, token: string): string[] {
  const { authorization } = request.headers;
  return [
    ...withoutOwnHeaders(listRelayedHeaders(request)),
    ...["authorization", `Bearer ${token}`],
    ...[ADDRESS_HEADER, request.socket.remoteAddress ?? ""],
    ...(authorization === undefined ? [] : [CREDENTIAL_HEADER, authorization]),
  ];
}

/**
 * Restores a forwarded request, whose token has been checked, as its caller sent it: with the caller's address, path and
 * credential. `x-forwarded-for` names the proxies in front of the other replica, and they are trusted by the same rules as
 * here.
 */
function receive({ received }: Context, request: IncomingMessage): void {
  const { headers, rawHeaders, socket, url = "" } = request;
  const { [ADDRESS_HEADER]: address, [CREDENTIAL_HEADER]: credential, authorization: _, ...others } = headers;
  const credentials = typeof credential === "string" ? { authorization: credential } : {};
  received.add(request);
  request.url = url.slice(FORWARD_PATH.length);
  request.rawHeaders = [...withoutOwnHeaders(rawHeaders), ...Object.entries(credentials).flat()];
  request.headers = { ...others, ...credentials };
  // Safe, because a connection between replicas carries one request at a time.
  Object.defineProperty(socket, "remoteAddress", { value: address, configurable: true });
}

function withoutOwnHeaders(headers: readonly string[]): string[] {
  return headers.filter((_, at) => !OWN_HEADERS.has((headers[at - (at % 2)] ?? "").toLowerCase()));
}

function close({ agent }: Context): Promise<void> {
  return agent.destroy();
}
