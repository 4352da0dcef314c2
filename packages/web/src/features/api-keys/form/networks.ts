const IPV4 = /^(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;
const IPV6_CHARACTERS = /^[\da-f:.]+$/i;
const PREFIX_LENGTH = /^\d{1,3}$/;
const IPV4_BITS = 32;
const IPV6_BITS = 128;

/** Whether a text is an IP address or a CIDR network, by the server's rules: `203.0.113.7`, `10.0.0.0/8`, `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  const [address = "", prefixLength, ...extra] = text.split("/");
  const bits = countAddressBits(address);
  if (bits === null || extra.length > 0) return false;
  return prefixLength === undefined || (PREFIX_LENGTH.test(prefixLength) && Number(prefixLength) <= bits);
}

/** Returns the length of an IP address in bits; null for a text that is none. */
function countAddressBits(address: string): number | null {
  if (IPV4.test(address)) return IPV4_BITS;
  const isIpv6 = address.includes(":") && IPV6_CHARACTERS.test(address) && URL.canParse(`http://[${address}]/`);
  return isIpv6 ? IPV6_BITS : null;
}

/** Returns the addresses of a text with one on each line, without blank lines and repetitions. */
export function parseAddressLines(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ""))];
}
