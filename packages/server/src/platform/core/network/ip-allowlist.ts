import { errors } from "../errors/index.ts";
import { isInNetwork, isNetwork } from "./networks.ts";

/** Throws 400 unless every entry is an IP address or a CIDR network. */
export function refuseBadNetworks(networks: readonly string[]): void {
  const invalid = networks.find((network) => !isNetwork(network));
  if (invalid === undefined) return;
  const message = `ip_allowlist is not valid: ${invalid} is neither an address nor a network such as 10.0.0.0/8.`;
  throw errors.invalidRequest(message, {
    param: "ip_allowlist",
    details: { fields: [{ field: "ip_allowlist", message }] },
  });
}

/** Returns whether an address is in one of the networks. An empty list allows every address. */
export function inNetworks(ip: string, networks: readonly string[]): boolean {
  return networks.length === 0 || networks.some((network) => isInNetwork(ip, network));
}
