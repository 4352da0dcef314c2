import { once } from "node:events";
import { createServer } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ServerSettings } from "../config/server.settings.ts";

type Address = Pick<ServerSettings, "port" | "host">;

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

/** Starts listening. Throws an Error that names the setting. */
export async function listen(server: FastifyInstance, address: Address): Promise<void> {
  await server.listen({ port: address.port, host: address.host }).catch((error: unknown) => {
    throw describeListenError(error, address);
  });
}

function describeListenError(cause: unknown, { port, host }: Address): unknown {
  switch ((cause as NodeJS.ErrnoException).code) {
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
