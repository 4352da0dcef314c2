import { BlockList, isIP, isIPv4 } from "node:net";
import { invalidRequest } from "../../shared/errors.ts";

/** Throws 400 unless every entry is an IP address or a CIDR network. */
export function refuseBadNetworks(networks: readonly string[]): void {
  const bad = networks.find((network) => !parse(network));
  if (bad === undefined) return;
  const message = `ip_allowlist is not valid: ${bad} is neither an address nor a network such as 10.0.0.0/8.`;
  throw invalidRequest(message, { param: "ip_allowlist", details: { fields: [{ field: "ip_allowlist", message }] } });
}

/** Whether an address is in one of the networks. An empty list allows every address. */
export function inNetworks(ip: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true;
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  const list = new BlockList();
  for (const network of networks) {
    const parsed = parse(network);
    if (parsed) list.addSubnet(parsed.address, parsed.bits, parsed.family);
  }
  return list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

function parse(network: string): { address: string; bits: number; family: "ipv4" | "ipv6" } | null {
  const [address = "", bitsText, ...more] = network.split("/");
  const version = isIP(address);
  // A zone (`fe80::1%eth0`) is an interface of one machine, not a network.
  if (version === 0 || address.includes("%") || more.length > 0) return null;
  const most = version === 4 ? 32 : 128;
  const bits = bitsText === undefined ? most : /^\d{1,3}$/.test(bitsText) ? Number(bitsText) : -1;
  return bits >= 0 && bits <= most ? { address, bits, family: version === 4 ? "ipv4" : "ipv6" } : null;
}
