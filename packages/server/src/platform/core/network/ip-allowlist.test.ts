import { describe, expect, test } from "vitest";
import { inNetworks, refuseBadNetworks } from "./ip-allowlist.ts";

describe("inNetworks", () => {
  test.each([
    ["any address when there is no list", "203.0.113.9", []],
    ["the address itself", "203.0.113.9", ["203.0.113.9"]],
    ["an address of a network", "10.255.0.1", ["192.168.0.0/16", "10.0.0.0/8"]],
    ["every address of /0", "8.8.8.8", ["0.0.0.0/0"]],
    ["IPv4 in the clothes of IPv6", "::ffff:10.1.2.3", ["10.0.0.0/8"]],
    ["an IPv6 address of a network", "2001:db8:1::5", ["2001:db8::/32"]],
    ["an address that names its interface", "fe80::1%eth0", ["fe80::/10"]],
    ["another spelling of an IPv6 address", "2001:db8:0:0:0:0:0:5", ["2001:db8::5"]],
  ])("inNetworks contains %s", (_what, ip, networks) => {
    expect(inNetworks(ip, networks)).toBe(true);
  });

  test.each([
    ["a neighbour", "203.0.113.10", ["203.0.113.9"]],
    ["an address just outside", "11.0.0.0", ["10.0.0.0/8"]],
    ["IPv6 in an IPv4 list", "2001:db8::5", ["0.0.0.0/0"]],
    ["IPv4 in an IPv6 list", "10.0.0.1", ["2001:db8::/32"]],
    ["everybody when the list holds only nonsense", "10.0.0.1", ["nonsense"]],
  ])("inNetworks does not contain %s", (_what, ip, networks) => {
    expect(inNetworks(ip, networks)).toBe(false);
  });
});

describe("refuseBadNetworks", () => {
  test("refuseBadNetworks accepts addresses and networks", () => {
    expect(() => refuseBadNetworks(["10.0.0.1", "10.0.0.0/8", "::1", "2001:db8::/32", "0.0.0.0/0"])).not.toThrow();
  });

  test.each([
    "",
    "10.0.0",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "10.0.0.0/ 8",
    "::/129",
    "example.com",
    "10.0.0.256",
    "010.0.0.1",
    "10.0.0.1\0",
    "0x7f000001",
    "fe80::1%eth0",
  ])("refuseBadNetworks rejects %j and names the field", (network) => {
    expect(() => refuseBadNetworks(["10.0.0.1", network])).toThrow(
      expect.objectContaining({ status: 400, param: "ip_allowlist" }),
    );
  });
});
