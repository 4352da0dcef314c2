import { BlockList, isIP } from "node:net";

const LOOPBACK_ADDRESSES = new BlockList();
LOOPBACK_ADDRESSES.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK_ADDRESSES.addAddress("::1", "ipv6");

/** Whether a host name or address, with or without IPv6 brackets, always refers to this machine. */
export function isLoopbackHost(host: string): boolean {
  const withoutBrackets = host.replace(/^\[|\]$/g, "").toLowerCase();
  const version = isIP(withoutBrackets);
  if (version === 0) return withoutBrackets === "localhost" || withoutBrackets.endsWith(".localhost");
  return LOOPBACK_ADDRESSES.check(withoutBrackets, version === 4 ? "ipv4" : "ipv6");
}

/**
 * Whether other machines can reach the server: it listens on more than loopback, or its public URL is not on this
 * machine (a proxy in front).
 */
export function isExposed(host: string, publicUrl: string | undefined): boolean {
  return !isLoopbackHost(host) || (publicUrl !== undefined && !isLoopbackHost(new URL(publicUrl).hostname));
}

/** Defaults of the settings that depend on whether other machines can reach the server, by group. */
export function defaultsByExposure(exposed: boolean) {
  return {
    server: { shutdownDelaySeconds: exposed ? 5 : 0 },
    registration: { mode: exposed ? "invite" : "open" },
    applications: { review: exposed },
    backends: { discover: !exposed },
    billing: { payments: exposed ? "off" : "test" },
    marketplace: { mode: exposed ? "off" : "test" },
  } as const;
}
