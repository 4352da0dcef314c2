import { isIPv6 } from "node:net";
import type { Settings } from "./settings.ts";

const ALL_ADDRESSES = ["0.0.0.0", "::", "[::]"];

/** Whether the server listens on every address of this machine, none of which is a name that people could type. */
export function listensEverywhere(host: string): boolean {
  return ALL_ADDRESSES.includes(host);
}

/** The origin under which people reach the site: FEATHER_PUBLIC_URL, or one made from host and port. */
export function publicUrlOf(settings: Pick<Settings, "FEATHER_PUBLIC_URL" | "FEATHER_HOST" | "FEATHER_PORT">): string {
  const { FEATHER_PUBLIC_URL, FEATHER_HOST: host, FEATHER_PORT: port } = settings;
  if (FEATHER_PUBLIC_URL !== undefined) return FEATHER_PUBLIC_URL;
  if (host === "127.0.0.1" || listensEverywhere(host)) return `http://localhost:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
