import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * Opens a local address that forwards connections to a port, which can be changed. It stands for a virtual address or
 * HAProxy in front of databases. `hold` makes its connections silent, as if a machine had failed.
 */
export async function openSwitchedAddress(first: number) {
  let target = first;
  let isHeld = false;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const other = connect(target, "127.0.0.1");
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => isHeld || to.write(bytes));
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        if (!isHeld) to.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const end = () => sockets.forEach((socket) => void socket.destroy());
  return {
    port,
    lead(to: number) {
      target = to;
    },
    hold(held: boolean) {
      isHeld = held;
    },
    end,
    close: async () => {
      server.close();
      end();
    },
  };
}
