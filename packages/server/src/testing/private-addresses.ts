import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Notations of non-public addresses as they may appear in a URL. */
export const PRIVATE_HOSTS: readonly string[] = [
  // This machine.
  ...["127.0.0.1", "127.0.0.2", "127.1", "127.0.1", "127.255.255.254", "2130706433", "017700000001", "0x7f000001"],
  ...["0x7f.0.0.1", "0x7f.1", "0177.0.0.1", "0177.1", "127.0x0.0.1", "127.000.000.001", "0", "0.0.0.0", "0x0", "00"],
  ...["localhost", "LOCALHOST", "localhost.", "LocalHost.", "127.0.0.1.", "①②⑦.0.0.1", "127。0。0。1", "１２７.0.0.1"],
  ...["%31%32%37.0.0.1", "ｌocalhost"],
  ...["[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[::]", "[0:0:0:0:0:0:0:0]", "[::0.0.0.1]"],
  ...[
    "[::ffff:127.0.0.1]",
    "[::FFFF:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:7f00:0001]",
    "[::ffff:0:127.0.0.1]",
  ],
  ...["[::127.0.0.1]", "[::7f00:1]", "[::ffff:0.0.0.0]", "[::ffff:0:0]"],
  // IPv6 forms that embed an IPv4 address.
  ...["[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::a00:1]", "[2002:7f00:1::]"],
  ...["[2002:7f00:1::1]", "[2002:a9fe:a9fe::]", "[2002:c0a8:101::1]", "[2001:0:7f00:1::]", "[2001::80ff:fffe]"],
  ...["[fe80::5efe:127.0.0.1]", "[2001:470::5efe:7f00:1]"],
  // Metadata services of clouds, and local networks.
  ...["169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518", "[::ffff:a9fe:a9fe]"],
  ...["[::ffff:169.254.169.254]", "[fd00:ec2::254]", "169.254.0.1", "100.100.100.200", "192.0.0.192"],
  ...["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255", "100.64.0.1"],
  ...["198.18.0.1", "192.0.2.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1"],
  ...["255.255.255.255", "[fe80::1]", "[fc00::1]", "[fdff::1]", "[fec0::1]", "[ff02::1]", "[2001:db8::1]", "[100::1]"],
  ...["[3fff::1]", "[5f00::1]", "[::2]", "[4000::1]"],
];

/** A server on the loopback addresses that must never receive a request. */
export async function startCanary() {
  const hits: string[] = [];
  const listen = async (host: string, port: number) => {
    const server = createServer((request, response) => {
      hits.push(`${request.method} ${request.headers.host} ${request.url}`);
      response.end(JSON.stringify({ object: "list", data: [{ id: "canary" }] }));
    });
    server.listen(port, host);
    await once(server, "listening");
    return server;
  };
  const first = await listen("127.0.0.1", 0);
  const { port } = first.address() as AddressInfo;
  const servers = [first, await listen("::1", port).catch(() => null)];
  return {
    port,
    hits,
    async close(): Promise<void> {
      for (const server of servers) {
        server?.closeAllConnections();
        await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
      }
    },
  };
}
