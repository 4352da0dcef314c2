import { Agent, type buildConnector } from "undici";

/** The number of bytes of a response that are read from a connection before the consumer asks for them. */
const MAX_UNREAD_BYTES = 16 * 1024;
/**
 * The number of connections to one backend. Further calls wait for one; units and the backend's own limits usually apply
 * first.
 */
const MAX_CONNECTIONS = 16_384;
/** Shorter than the keep-alive of common servers, so that no request is sent while they close the connection. */
const KEEP_ALIVE_TIMEOUT_MS = 4_000;
const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;

/** The socket of a backend, if it has one, and where its address comes from. */
type Address = { socketPath?: string; source: string };

/**
 * Creates the connections to a backend. Configured addresses are trusted; those that admins entered are connected through
 * the guard against private networks.
 */
export function createConnections({ socketPath, source }: Address, guardedConnector?: buildConnector.connector): Agent {
  const connectOptions = {
    timeout: 3_000,
    highWaterMark: MAX_UNREAD_BYTES,
    ...(socketPath !== undefined && { socketPath }),
  };
  const connect = source === "admin" && guardedConnector ? guardedConnector : connectOptions;
  return new Agent({
    connect,
    connections: MAX_CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    maxResponseSize: MAX_RESPONSE_BYTES,
  });
}
