import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ReturnType<typeof ipaddr.parse>;
type Network = [Address, number];

const GLOBAL_UNICAST = 0x2000;
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
/** Interface id prefixes of IPv6 addresses with an embedded IPv4 address (ISATAP). */
const ISATAP = [0x0000, 0x0200];

/**
 * Returns whether an address belongs to the public internet. False for this machine, private networks, IPv6 forms that
 * embed such an IPv4 address, and unknown ranges.
 */
export function isPublicAddress(text: string): boolean {
  const address = parse(text);
  if (address === null) return false;
  if (address instanceof ipaddr.IPv4) return address.range() === "unicast";
  if (address.match(NAT64)) return embeddedIPv4(address).range() === "unicast";
  if (address.parts[4] !== undefined && ISATAP.includes(address.parts[4]) && address.parts[5] === 0x5efe) return false;
  return ((address.parts[0] ?? 0) & 0xe000) === GLOBAL_UNICAST && address.range() === "unicast";
}

/** Returns whether a host name or address, with or without IPv6 brackets, always refers to this machine. */
export function isLoopbackHost(host: string): boolean {
  const address = parse(host);
  if (address !== null) return address.range() === "loopback";
  const name = host.toLowerCase();
  return name === "localhost" || name.endsWith(".localhost");
}

/** Returns whether a text is an IP address, with or without the brackets of IPv6 in URLs. */
export function isIpAddress(text: string): boolean {
  return parse(text) !== null;
}

/** Returns whether an address is in a network such as `10.0.0.0/8`, or equals the address that is given as the network. */
export function isInNetwork(text: string, network: string): boolean {
  const address = parse(text);
  const parsedNetwork = parseNetwork(network);
  return (
    address !== null &&
    parsedNetwork !== null &&
    address.kind() === parsedNetwork[0].kind() &&
    address.match(parsedNetwork)
  );
}

/** Returns whether a text is a CIDR network or an address, without a zone. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== null;
}

function parseNetwork(text: string): Network | null {
  const [address = "", prefixText, ...extra] = text.split("/");
  // A zone (`fe80::1%eth0`) is an interface of one machine, not a network.
  if (isIP(address) === 0 || address.includes("%") || extra.length > 0) return null;
  const maxPrefixLength = isIP(address) === 4 ? 32 : 128;
  if (prefixText === undefined) return [ipaddr.parse(address), maxPrefixLength];
  const isValid = /^\d{1,3}$/.test(prefixText) && Number(prefixText) <= maxPrefixLength;
  return isValid ? [ipaddr.parse(address), Number(prefixText)] : null;
}

/** IPv4-mapped addresses (`::ffff:10.0.0.1`) become IPv4. */
function parse(text: string): Address | null {
  const normalized = text.replace(/^\[(.*)\]$/, "$1").replace(/%.*$/, "");
  return ipaddr.isValid(normalized) ? ipaddr.process(normalized) : null;
}

function embeddedIPv4({ parts }: InstanceType<typeof ipaddr.IPv6>): InstanceType<typeof ipaddr.IPv4> {
  const bytes = parts.slice(6).flatMap((part) => [part >> 8, part & 0xff]);
  return new ipaddr.IPv4(bytes);
}
