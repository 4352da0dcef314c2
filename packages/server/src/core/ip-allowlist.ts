import { BlockList, isIP, isIPv4 } from "node:net";
import { errors } from "./errors/index.ts";

/** Throws 400 unless every entry is an IP address or a CIDR network. */
export function refuseBadNetworks(networks: readonly string[]): void {
  const invalid = networks.find((network) => !parseNetwork(network));
  if (invalid === undefined) return;
  const message = `ip_allowlist is not valid: ${invalid} is neither an address nor a network such as 10.0.0.0/8.`;
  throw errors.invalidRequest(message, {
    param: "ip_allowlist",
    details: { fields: [{ field: "ip_allowlist", message }] },
  });
}

/** Whether an address is in one of the networks. An empty list allows every address. */
export function inNetworks(ip: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true;
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  const list = new BlockList();
  for (const network of networks) {
    const parsed = parseNetwork(network);
    if (parsed) list.addSubnet(parsed.address, parsed.prefixLength, parsed.family);
  }
  return list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

function parseNetwork(network: string): { address: string; prefixLength: number; family: "ipv4" | "ipv6" } | null {
  const [address = "", prefixText, ...extra] = network.split("/");
  const version = isIP(address);
  // A zone (`fe80::1%eth0`) is an interface of one machine, not a network.
  if (version === 0 || address.includes("%") || extra.length > 0) return null;
  const maxPrefixLength = version === 4 ? 32 : 128;
  const prefixLength =
    prefixText === undefined ? maxPrefixLength : /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : -1;
  return prefixLength >= 0 && prefixLength <= maxPrefixLength
    ? { address, prefixLength, family: version === 4 ? "ipv4" : "ipv6" }
    : null;
}
