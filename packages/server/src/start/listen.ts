import { once } from "node:events";
import { createServer, type Server } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ServerSettings } from "../config/server.settings.ts";
import { MAX_UNACCEPTED_CONNECTIONS } from "../http/connections.ts";

type Address = Pick<ServerSettings, "port" | "host">;
/** Codes with which systems answer that several processes cannot listen on one port. */
const UNSUPPORTED = new Set(["ENOTSUP", "EOPNOTSUPP", "ENOPROTOOPT"]);

/**
 * Throws an Error that names the setting when the address cannot be listened on; checked before anything else starts.
 */
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

/** Whether several processes can listen on one port of this address here, each on its own, as on Linux but not on macOS. */
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

/** Starts listening; with `reusePort` beside other processes that do so. Throws an Error that names the setting. */
export async function listen(
  server: FastifyInstance,
  address: Address,
  { reusePort }: { reusePort: boolean },
): Promise<void> {
  const options = { ...address, backlog: MAX_UNACCEPTED_CONNECTIONS, ...(reusePort && { reusePort }) };
  await server.listen(options).catch((error: unknown) => {
    throw describeListenError(error, address);
  });
}

/** Starts to take connections from the listener of another process, which `receive` gets. */
export async function listenTogether(server: FastifyInstance, receive: () => Promise<Server>): Promise<void> {
  await server.ready();
  // Once it is here, this process takes connections: it must have somebody who answers them in the same turn.
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
