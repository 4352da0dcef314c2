/** Limits of connections, and of the size and time of the parts of a request before the body. */
import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import type { Socket } from "node:net";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import { clientNetworkOf } from "../../platform/core/http/rate-limits.ts";
import { isInNetwork, isLoopbackHost } from "../../platform/core/network/networks.ts";
import { closeWithError } from "./client-errors.ts";
import type { EarlyAnswers } from "./early-answers.ts";

/** Size in bytes of the request line and all headers together. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** The number of headers of a request. Browsers behind several proxies send about forty. */
export const MAX_HEADERS = 100;
/** The time in milliseconds to receive the headers of a request, or of the first one on a new connection. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** The time in milliseconds to receive a complete request. Responses have no limit. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** The time in milliseconds for which an idle connection is kept after a response. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/**
 * The number of connections that the operating system queues until this process accepts them. Linux limits it to
 * `net.core.somaxconn`, 4,096 by default, and drops further connections, whose callers then wait or lose what they have
 * sent.
 */
export const MAX_UNACCEPTED_CONNECTIONS = 4_096;

/** The number of unsent bytes of a response that are buffered before its backend has to pause. */
const MAX_BUFFERED_BYTES = 16 * 1024;

/** Options of node's HTTP server. */
const HTTP_SERVER_OPTIONS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  // By default, slow connections are checked every 30 s, so that they could take twice as long as allowed.
  connectionsCheckingInterval: 1_000,
  highWaterMark: MAX_BUFFERED_BYTES,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
} satisfies ServerOptions;

/** Creates node's HTTP server with these limits. */
export function createHttpServer(listener: RequestListener, others: ServerOptions = {}): Server {
  return createServer({ ...HTTP_SERVER_OPTIONS, ...others }, listener);
}

/** The largest number of open connections of this process: of one client, and of all. */
export type ConnectionLimits = { perClient: number; total: number };

/**
 * A connection takes about 15 kB, an event stream more. A client is an IPv4 address or an IPv6 /64, which may be used by a
 * whole office.
 */
const CONNECTION_LIMITS: ConnectionLimits = { perClient: 1_000, total: 20_000 };
const RETRY_AFTER_SECONDS = 5;

/**
 * Closes connections above the limits at once, with 429 if one client has too many and 503 if all have. Connections of this
 * machine and of trusted proxies, which have many clients, count only towards the total.
 */
export function limitConnections(
  server: Server,
  trustedProxies: readonly string[] | undefined,
  earlyAnswers: Pick<EarlyAnswers, "close">,
  limits: ConnectionLimits = CONNECTION_LIMITS,
): void {
  server.maxHeadersCount = 0; // node would drop further headers silently; `refuseTooManyHeaders` says so
  const counts = new Map<string, number>();
  let total = 0;
  server.prependListener("connection", (socket: Socket) => {
    const client = clientOf(socket.remoteAddress, trustedProxies ?? []);
    const count = client === undefined ? 0 : (counts.get(client) ?? 0) + 1;
    total += 1;
    if (client !== undefined) counts.set(client, count);
    const release = () => {
      socket.off("close", release);
      total -= 1;
      if (client === undefined) return;
      const rest = (counts.get(client) ?? 0) - 1;
      if (rest > 0) counts.set(client, rest);
      else counts.delete(client);
    };
    socket.once("close", release);
    const isRefused = total > limits.total || count > limits.perClient;
    if (!isRefused) return;
    const error = tooManyConnections(total > limits.total ? 503 : 429);
    release(); // until it is closed it counts with the early answers
    closeWithError(socket, error, earlyAnswers);
  });
}

/** Returns the client that a connection counts for; undefined for this machine and for trusted proxies. */
function clientOf(address: string | undefined, trustedProxies: readonly string[]): string | undefined {
  if (address === undefined || isLoopbackHost(address)) return undefined;
  return trustedProxies.some((proxy) => isTrusted(address, proxy)) ? undefined : clientNetworkOf(address);
}

/** The networks of the keywords that can name a trusted proxy. `loopback` is never counted anyway. */
const NETWORKS_OF_KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  loopback: [],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

function isTrusted(address: string, proxy: string): boolean {
  return (NETWORKS_OF_KEYWORDS[proxy] ?? [proxy]).some((network) => isInNetwork(address, network));
}

/** Throws 431 for more than `MAX_HEADERS` headers. `rawHeaders` is a list of alternating names and values. */
export function refuseTooManyHeaders({ rawHeaders }: { rawHeaders: readonly string[] }): void {
  if (rawHeaders.length > 2 * MAX_HEADERS)
    throw errors.invalidRequest(`A request may have at most ${MAX_HEADERS} headers.`, {
      status: 431,
      details: { max: MAX_HEADERS },
    });
}

function tooManyConnections(status: 429 | 503): AppError {
  const options = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return status === 429
    ? errors.rateLimitExceeded("Your address holds too many connections. Close some.", options)
    : errors.overloaded(options);
}
