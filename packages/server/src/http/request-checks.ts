import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { refuseTooManyHeaders } from "./connections/connections.ts";
import { unsupportedMediaType } from "./framework-errors.ts";
import { refuseRepeatedHeaders } from "./headers/repeated-headers.ts";
import { type LoadShedder, refuseWhenOverloaded } from "./load-shedding.ts";

type Deps = {
  loadShedder: Pick<LoadShedder, "isOverloaded">;
  /** Throws 421 for a foreign host name. */
  checkHost(request: Pick<IncomingMessage, "headers">): void;
  /** Warns the operator of a proxy that is not trusted. */
  warnOfProxy(request: Pick<IncomingMessage, "headers" | "socket">): void;
};

/** Throws if a request is refused before its caller is known. `url` is in the canonical form. */
export type RequestCheck = (url: string, request: IncomingMessage) => void;

/** Creates the check of the headers of all requests, and of the load of this process. */
export function createRequestCheck({ loadShedder, checkHost, warnOfProxy }: Deps): RequestCheck {
  return (url, request) => {
    refuseWhenOverloaded(loadShedder, url);
    refuseTooManyHeaders(request);
    refuseRepeatedHeaders(request);
    checkHost(request);
    refuseCompressedBody(request.headers);
    warnOfProxy(request);
  };
}

/** Prevents decompression bombs; no client needs to compress its requests. */
function refuseCompressedBody(headers: IncomingHttpHeaders): void {
  const encoding = headers["content-encoding"];
  if (encoding === undefined || encoding.toLowerCase() === "identity") return;
  throw unsupportedMediaType("Send the body as it is, without the header content-encoding.", {
    "accept-encoding": "identity", // by which clients know that a body in another form is taken (RFC 9110, 15.5.16)
  });
}
