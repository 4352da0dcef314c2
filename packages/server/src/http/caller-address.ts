import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import proxyAddress from "@fastify/proxy-addr";

/** Reads where a request comes from, as Fastify does. */
export type CallerAddress = {
  /** Returns the caller's address: with trusted proxies, the one in `x-forwarded-for`. */
  addressOf(request: IncomingMessage): string;
  /** Returns `https` or `http`: with a trusted proxy, what it says. */
  protocolOf(request: IncomingMessage): "http" | "https";
};

/** Creates the reader of addresses. */
export function createCallerAddress(trustedProxies: readonly string[] | undefined): CallerAddress {
  const isTrusted = proxyAddress.compile([...(trustedProxies ?? [])]);
  return {
    addressOf: (request) => proxyAddress(request, isTrusted),
    protocolOf({ headers, socket }) {
      const forwarded = [headers["x-forwarded-proto"] ?? []].flat().join(",");
      const isForwarded = forwarded !== "" && isTrusted(socket.remoteAddress ?? "", 0);
      const isSecure = isForwarded ? forwarded.split(",").at(-1)?.trim() === "https" : socket instanceof TLSSocket;
      return isSecure ? "https" : "http";
    },
  };
}
