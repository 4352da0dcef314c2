import type { Server } from "node:http";

/**
 * Sends `100 Continue` to callers that wait for it (`Expect: 100-continue`) when the body is first read. If a request is
 * refused because of its headers, its caller gets the refusal instead, and need not send the body. Node would always send
 * it at once.
 */
export function continueWhenRead(server: Server): void {
  server.on("checkContinue", (request, response) => {
    const read = request._read;
    // Node calls this when the body is read for the first time, in any way.
    request._read = (size) => {
      request._read = read;
      if (!response.headersSent) response.writeContinue();
      read.call(request, size);
    };
    server.emit("request", request, response);
  });
}
