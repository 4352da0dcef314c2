import { isIP } from "node:net";
import { expect, test } from "vitest";
import { isNetwork, parseAddressLines } from "./networks.ts";

const ADDRESSES = [
  ...[
    "203.0.113.7",
    "0.0.0.0",
    "255.255.255.255",
    "10.0.0.01",
    "256.1.1.1",
    "1.2.3",
    "1.2.3.4.5",
    " 1.2.3.4",
    "1.2.3.4 ",
  ],
  ...["::", "::1", "2001:db8::1", "2001:DB8:0:0:0:0:0:1", "::ffff:192.0.2.1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:9"],
  ...["2001:db8:::1", "12345::", "fe80::g", ":", "1", "localhost", "example.com", "[::1]", "", "1.2.3.4:80", "::1.2.3"],
];

test.each(ADDRESSES)("judges the address “%s” as the server does", (address) => {
  expect(isNetwork(address)).toBe(isIP(address) !== 0);
});

test.each([
  ["10.0.0.0/8", true],
  ["10.0.0.0/0", true],
  ["10.0.0.0/32", true],
  ["10.0.0.0/33", false],
  ["2001:db8::/32", true],
  ["2001:db8::/128", true],
  ["2001:db8::/129", false],
  ["10.0.0.0/", false],
  ["10.0.0.0/-1", false],
  ["10.0.0.0/8/8", false],
  ["10.0.0.0/0008", false],
  ["fe80::1%eth0", false],
  ["localhost/8", false],
])("judges the network “%s”: %s", (network, valid) => {
  expect(isNetwork(network)).toBe(valid);
});

test("reads one address from each line, without blank lines and repetitions", () => {
  expect(parseAddressLines(" 10.0.0.0/8 \n\n::1\r\n10.0.0.0/8\n")).toEqual(["10.0.0.0/8", "::1"]);
});
