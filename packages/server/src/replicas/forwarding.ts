import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent } from "undici";
import { bind } from "../platform/core/bind.ts";
import { AppError } from "../platform/core/errors/index.ts";
import { isVersionRefusal, leaderHasOtherVersion, leaderUnavailable } from "../platform/core/peers/peer-call.ts";
import { listRelayedHeaders, relay } from "../platform/core/peers/relay.ts";
import type { Replicas } from "../platform/core/replicas/replicas.ts";
import { LEADER_OPERATIONS } from "./leader-operations.ts";

type Deps = {
  replicas: Pick<Replicas, "isLeader" | "leader">;
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
/** The number of connections to the leader. Each forwarded request needs one. */
const MAX_CONNECTIONS = 4_096;
const LEADER_CHECK_MS = 1_000;

/** Creates the forwarding of requests that only the leader can answer, and the reception of forwarded requests. */
export function createForwarding(deps: Deps) {
  const agent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, connections: MAX_CONNECTIONS });
  const context: Context = { ...deps, agent, received: new WeakSet(), forwarded: new Set() };
  return bind(context, {
    forward,
    receive,
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
  return leader === null ? Promise.reject(leaderUnavailable()) : relayTo(context, leader.address, request, response);
}

async function relayTo(
  { replicas, agent, token, forwarded, prepareAnswer }: Context,
  address: string,
  request: ForwardedRequest,
  response: ServerResponse,
): Promise<void> {
  const { method, originalUrl = request.url } = request;
  const target = { dispatcher: agent, origin: address, path: FORWARD_PATH + originalUrl };
  const headers = toForwardedHeaders(request, token);
  const gone = new AbortController();
  // The leader decides how long a response may take. The request is aborted only if another replica becomes the leader.
  const timer = setInterval(() => replicas.leader()?.address !== address && gone.abort(), LEADER_CHECK_MS);
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
    throw error instanceof AppError ? error : leaderUnavailable(error);
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
