import { once } from "node:events";
import { createServer } from "node:net";
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

/** Starts listening, beside other workers if there are some. Throws an Error that names the setting. */
export async function listen(
  server: FastifyInstance,
  { workers, ...address }: Address & Pick<ServerSettings, "workers">,
): Promise<void> {
  const { port, host } = address;
  const options = { port, host, backlog: MAX_UNACCEPTED_CONNECTIONS, ...(workers > 1 && { reusePort: true }) };
  await server.listen(options).catch((error: unknown) => {
    throw describeListenError(error, address);
  });
}

function describeListenError(cause: unknown, { port, host }: Address): unknown {
  const { code = "" } = cause as NodeJS.ErrnoException;
  if (UNSUPPORTED.has(code))
    return new Error("Several processes cannot listen on one port here. Set FEATHER_WORKERS to 1.", { cause });
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
