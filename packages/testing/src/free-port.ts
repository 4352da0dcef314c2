import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Systems give ports above 32767 to outgoing connections, one of which could take a port before a server listens at it. */
const FIRST_PORT = 15_000;
const END_PORT = 30_000;

/** Returns a port that is currently unused. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, END_PORT);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(false);
      else reject(error);
    });
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
