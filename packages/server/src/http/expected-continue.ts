import type { Server } from "node:http";

/**
 * Tells callers who wait for it (`Expect: 100-continue`) to send their body once somebody reads it, and not before: who is
 * refused by the headers alone gets the refusal instead, and sends nothing in vain. Node would always tell them at once.
 */
export function continueWhenRead(server: Server): void {
  server.on("checkContinue", (request, response) => {
    const read = request._read;
    // Node calls it first when the body is asked for, in whichever way.
    request._read = (size) => {
      request._read = read;
      if (!response.headersSent) response.writeContinue();
      read.call(request, size);
    };
    server.emit("request", request, response);
  });
}
