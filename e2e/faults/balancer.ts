import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Stands in for nginx where that is not installed: gives each connection to the next server that takes it. */
export async function startBalancer(ports: readonly number[]) {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((caller) => {
    keep(caller);
    const order = ports.map((_, index) => ports[(turn + index) % ports.length] ?? 0);
    turn += 1;
    passOn(caller, order);
  });

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on("error", () => {}); // `close` follows
    socket.once("close", () => sockets.delete(socket));
  }

  /** Connects a caller with the first of these servers that takes connections. */
  function passOn(caller: Socket, [port, ...others]: readonly number[]): void {
    if (port === undefined) return void caller.destroy();
    const target = connect(port, "127.0.0.1");
    keep(target);
    let isOpen = false;
    target.once("connect", () => {
      isOpen = true;
      caller.pipe(target).pipe(caller);
    });
    target.once("close", () => (isOpen ? caller.destroy() : passOn(caller, others)));
    caller.once("close", () => target.destroy());
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
