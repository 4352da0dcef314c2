import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ServerSettings } from "../config/server.settings.ts";
import { MAX_UNACCEPTED_CONNECTIONS } from "../http/connections/connections.ts";

type Address = Pick<ServerSettings, "port" | "host">;
/** Error codes of systems on which several processes cannot listen on one port. */
const UNSUPPORTED = new Set(["ENOTSUP", "EOPNOTSUPP", "ENOPROTOOPT"]);

/** Throws an Error that names the setting if the address cannot be listened on. Called before anything else is started. */
export async function assertAddressAvailable(address: Address): Promise<void> {
  const probe = createServer();
  probe.listen(address.port, address.host);
  try {
    await once(probe, "listening");
  } catch (error) {
    throw describeListenError(error, address);
  }
  probe.close();
  await once(probe, "close");
}

/**
 * Returns whether several processes can listen on one port of this address, each with its own socket, as on Linux but not
 * on macOS.
 */
export async function canSharePort(host: string): Promise<boolean> {
  const probe = createServer();
  probe.listen({ port: 0, host, reusePort: true });
  try {
    await once(probe, "listening");
  } catch (error) {
    if (UNSUPPORTED.has((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
  probe.close();
  await once(probe, "close");
  return true;
}

/**
 * Starts listening; with `reusePort` on a port that other processes listen on too. Throws an Error that names the setting.
 */
export async function listen(
  server: FastifyInstance,
  address: Address,
  { reusePort }: { reusePort: boolean },
): Promise<void> {
  const options = { ...address, backlog: MAX_UNACCEPTED_CONNECTIONS, ...(reusePort && { reusePort }) };
  await server.listen(options).catch((error: unknown) => {
    throw describeListenError(error, address);
  });
  if (address.host === "localhost") await listenOnOtherAddresses(server, address.host);
}

/**
 * Accepts the connections to the other addresses of a name: `localhost` is 127.0.0.1 and ::1, and Node listens on the first
 * one. An address that cannot be listened on is left out.
 */
async function listenOnOtherAddresses({ server }: FastifyInstance, name: string): Promise<void> {
  const { port, address: own } = server.address() as AddressInfo;
  for (const { address } of await lookup(name, { all: true })) {
    if (address === own) continue;
    // With the options of Node's HTTP server, which handles a connection as soon as it gets this event.
    const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) =>
      server.emit("connection", socket),
    );
    server.once("close", () => other.close());
    other.listen({ port, host: address, backlog: MAX_UNACCEPTED_CONNECTIONS });
    await once(other, "listening").catch(() => {});
  }
}

/** Accepts connections of the listener of another process, which `receive` returns. */
export async function listenTogether(server: FastifyInstance, receive: () => Promise<Server>): Promise<void> {
  await server.ready();
  // From here on, this process accepts connections, so it must be able to handle them in the same turn.
  server.server.listen(await receive());
  await once(server.server, "listening");
}

function describeListenError(cause: unknown, { port, host }: Address): unknown {
  const { code } = cause as NodeJS.ErrnoException;
  switch (code) {
    case "EADDRINUSE":
      return new Error(`Port ${port} is in use. Stop what uses it, or set FEATHER_PORT to another.`, { cause });
    case "EACCES":
      return new Error(`This user may not listen on port ${port}. Set FEATHER_PORT to one above 1023.`, { cause });
    case "EADDRNOTAVAIL":
      return new Error(
        `${host} is no address of this machine. Set FEATHER_HOST to one that is, such as 127.0.0.1, or ::1 where there ` +
          "is only IPv6.",
        { cause },
      );
    case "ENOTFOUND":
      return new Error(`FEATHER_HOST=${host} is no address, and no name of this machine.`, { cause });
    default:
      return cause;
  }
}
