import type { IncomingMessage } from "node:http";
import { errors } from "../../platform/core/errors/index.ts";
import { isLoopbackHost } from "../../platform/core/network/networks.ts";

/** The address that the server listens on, and its public URL. */
export type ServedHosts = { listenHost: string; publicUrl: string };

/**
 * Returns a check that throws 421 for foreign host names if the server listens only on loopback. It prevents DNS rebinding:
 * a web page whose own host name resolves to this machine.
 */
export function createHostCheck({
  listenHost,
  publicUrl,
}: ServedHosts): (request: Pick<IncomingMessage, "headers">) => void {
  if (!isLoopbackHost(listenHost)) return () => {};
  const publicHost = new URL(publicUrl).hostname;
  let lastAccepted: string | undefined; // most requests name the same host
  return ({ headers: { host } }) => {
    if (host === undefined || host === lastAccepted) return; // HTTP/1.0 needs no host; browsers always send one
    const name = parseHostname(host);
    if (name === undefined || !(isLoopbackHost(name) || name === publicHost)) throw errors.misdirectedRequest();
    lastAccepted = host;
  };
}

/** Returns the name in a `Host` header without the port; undefined if invalid. */
function parseHostname(host: string): string | undefined {
  return /^(\[[\da-f:.]+\]|[a-z\d._-]+)(:\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
}
