import { lstat, unlink } from "node:fs/promises";
import { connect } from "node:net";

/** The address can't be used; the message says why, in one line. */
export class AddressError extends Error {}

/**
 * Makes sure that a Unix socket can be created at a path: a socket file that nobody listens on any more is removed.
 * Throws {@link AddressError} when somebody listens, or when the file is something else.
 */
export async function claimSocketPath(path: string): Promise<void> {
  const file = await lstat(path).catch(() => undefined);
  if (!file) return;
  if (!file.isSocket()) throw new AddressError(`${path} exists and is not a socket. Choose another --socket path.`);
  if (await isListening(path)) throw new AddressError(`Another process is listening on ${path}.`);
  await unlink(path);
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      // Any other error, such as missing rights, does not prove that nobody listens.
      resolve(error.code !== "ECONNREFUSED" && error.code !== "ENOENT");
    });
  });
}
