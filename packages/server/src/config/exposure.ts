import { isLoopbackHost } from "../platform/core/network/networks.ts";

/**
 * Returns whether other machines can reach the server: it listens on more than loopback, or its public URL is not on this
 * machine (a proxy in front).
 */
export function isExposed(host: string, publicUrl: string | undefined): boolean {
  return !isLoopbackHost(host) || (publicUrl !== undefined && !isLoopbackHost(new URL(publicUrl).hostname));
}

/** Returns the defaults of the settings that depend on whether other machines can reach the server, by group. */
export function defaultsByExposure(exposed: boolean) {
  return {
    server: { shutdownDelaySeconds: exposed ? 5 : 0 },
    registration: { mode: exposed ? "invite" : "open" },
    applications: { review: exposed },
    backends: { discover: !exposed },
    billing: { payments: exposed ? "off" : "test" },
    marketplace: { marketplaces: [exposed ? "off" : "test"] as ("off" | "test")[] },
  } as const;
}
