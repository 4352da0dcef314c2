import { lstat, unlink } from "node:fs/promises";
import { connect } from "node:net";

/** The address can't be used; the message says why, in one line. */
export class AddressError extends Error {}

/**
 * Makes sure that a Unix socket can be created at a path: deletes a socket file that no process listens on. Throws
 * {@link AddressError} when a process listens on it, or when the file is no socket.
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
      // Any other error, such as missing permissions, does not prove that no process listens.
      resolve(error.code !== "ECONNREFUSED" && error.code !== "ENOENT");
    });
  });
}
