import { isIPv6 } from "node:net";
import type { Settings } from "./settings.ts";

const ALL_ADDRESSES = ["0.0.0.0", "::", "[::]"];

/** Whether the server listens on all interfaces; such an address cannot be used in a URL. */
export function listensEverywhere(host: string): boolean {
  return ALL_ADDRESSES.includes(host);
}

/** The origin of the site: FEATHER_PUBLIC_URL, or derived from host and port. */
export function publicUrlOf(settings: Pick<Settings, "FEATHER_PUBLIC_URL" | "FEATHER_HOST" | "FEATHER_PORT">): string {
  const { FEATHER_PUBLIC_URL, FEATHER_HOST: host, FEATHER_PORT: port } = settings;
  if (FEATHER_PUBLIC_URL !== undefined) return FEATHER_PUBLIC_URL;
  if (host === "127.0.0.1" || listensEverywhere(host)) return `http://localhost:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
