import { isIPv6 } from "node:net";
import type { ServerSettings } from "./server.settings.ts";

const ALL_ADDRESSES = ["0.0.0.0", "::", "[::]"];

/** Returns whether the server listens on all interfaces; such an address cannot be used in a URL. */
export function listensEverywhere(host: string): boolean {
  return ALL_ADDRESSES.includes(host);
}

/** Returns the origin of the site: FEATHER_PUBLIC_URL, or derived from host and port. */
export function publicUrlOf(settings: Pick<ServerSettings, "publicUrl" | "host" | "port">): string {
  const { publicUrl, host, port } = settings;
  if (publicUrl !== undefined) return publicUrl;
  if (host === "127.0.0.1" || listensEverywhere(host)) return `http://localhost:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
