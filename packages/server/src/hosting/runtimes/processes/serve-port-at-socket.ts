import { spawn } from "node:child_process";
import { connect, createServer, type Socket } from "node:net";
import { constants } from "node:os";

/** What stands for the number of the port in the arguments of the command. */
const PORT_ARGUMENT = "{port}";

/**
 * Runs a command that listens on a port of this machine only, and passes connections to a Unix socket on to it. In a sandbox
 * with a network of its own, the port can only be reached this way.
 *
 * Arguments: the path of the socket, the command, and its arguments, in which `{port}` is replaced by a free port. The exit
 * status is the command's.
 */
async function main([socketPath = "", command = "", ...args]: readonly string[]): Promise<void> {
  const port = await findFreePort();
  const child = spawn(
    command,
    args.map((arg) => (arg === PORT_ARGUMENT ? String(port) : arg)),
    { stdio: "inherit" },
  );
  child.once("error", (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(127);
  });
  child.once("exit", (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  // The signal goes to the whole process group. This process ends with the command.
  process.on("SIGTERM", () => {});
  createServer({ allowHalfOpen: true }, (client) => join(client, port)).listen(socketPath);
}

/** Connects a client to the port. Each end closes the other. */
function join(client: Socket, port: number): void {
  const server = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  client.pipe(server).pipe(client);
  for (const [socket, other] of [
    [client, server],
    [server, client],
  ] as const) {
    socket.on("error", () => other.destroy());
    socket.on("close", () => other.destroy());
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

await main(process.argv.slice(2));
