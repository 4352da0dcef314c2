import { describe, expect, test } from "vitest";
import { isInNetwork, isNetwork, isPublicAddress } from "./networks.ts";

describe("isPublicAddress", () => {
  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "93.184.215.14",
    "172.32.0.1",
    "11.0.0.1",
    "192.169.0.1",
    "2606:4700:4700::1111",
    "2a00:1450:4001:82b::200e",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
  ])("isPublicAddress accepts %s", (address) => expect(isPublicAddress(address)).toBe(true));

  test.each([
    ...["127.0.0.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254"],
    ...["100.64.0.1", "100.127.255.255", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1"],
    ...["224.0.0.1", "240.0.0.1", "255.255.255.255"],
    ...["::", "::1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "::10.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::1"],
    ...[
      "2002:a00:1::",
      "2001::1",
      "2001:db8::1",
      "fc00::1",
      "fd12::1",
      "fe80::1",
      "fe80::1%eth0",
      "fec0::1",
      "ff02::1",
    ],
    ...["100::1", "[::1]", "2001:470::5efe:a00:1", "4000::1"],
    ...["", "localhost", "1.1.1.1.1", "1.1.1.1/8", "256.1.1.1", ":::", "8.8.8.8 ", "nonsense"],
  ])("isPublicAddress rejects %j", (address) => expect(isPublicAddress(address)).toBe(false));
});

describe("networks", () => {
  test.each([
    ["10.1.2.3", "10.0.0.0/8", true],
    ["11.1.2.3", "10.0.0.0/8", false],
    ["::ffff:10.1.2.3", "10.0.0.0/8", true],
    ["127.0.0.1", "127.0.0.1", true],
    ["127.0.0.2", "127.0.0.1", false],
    ["fd00::1", "fd00::/8", true],
    ["::1", "127.0.0.0/8", false],
    ["10.1.2.3", "nonsense", false],
    ["nonsense", "10.0.0.0/8", false],
  ])("finds whether %s is in %s: %s", (address, network, inside) => expect(isInNetwork(address, network)).toBe(inside));

  test.each([
    ["10.0.0.0/8", true],
    ["127.0.0.1", true],
    ["::1", true],
    ["fd00::/8", true],
    ["10.0.0.0/33", false],
    ["example.com", false],
    ["127.0.0.1:80", false],
  ])("recognizes %s as a network: %s", (text, expected) => expect(isNetwork(text)).toBe(expected));
});
