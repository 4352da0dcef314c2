import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { createBody, dispatchAbortable, type UpstreamRequest, type UpstreamResponse } from "./response.ts";

/** The largest response that is read whole because it is no file, in bytes. */
const MAX_OTHER_BYTES = 1024 * 1024;

/** A file that a backend sends. It is read only as fast as `bytes` is; destroying that ends the request. */
export type UpstreamFile = { bytes: Readable; contentType: string; headers: IncomingHttpHeaders };

/**
 * Sends a request. Resolves to a file when its headers have arrived, or to another response when it has ended.
 * `toContentType` returns the content type of a file from the one of the response, and null if that is no file. Rejects with
 * the error of the connection, or the reason of the signal.
 */
export function openUpstreamFile(
  request: UpstreamRequest,
  toContentType: (given: string | undefined) => string | null,
): Promise<{ file: UpstreamFile } | { response: UpstreamResponse }> {
  return new Promise((resolve, reject) => {
    let bytes: Readable | null = null;
    let head: Omit<UpstreamResponse, "text"> = { statusCode: 0, headers: {} };
    const other = createBody(MAX_OTHER_BYTES);
    dispatchAbortable(request, {
      onResponseStart(controller, statusCode, headers) {
        head = { statusCode, headers };
        const { "content-type": given } = headers;
        const contentType = statusCode === 200 ? toContentType(typeof given === "string" ? given : undefined) : null;
        if (contentType === null) return;
        bytes = createReadable(controller);
        resolve({ file: { bytes, contentType, headers } });
      },
      onResponseData(controller, part) {
        if (bytes === null) other.add(controller, part);
        else if (!bytes.push(part)) controller.pause();
      },
      onResponseEnd() {
        if (bytes === null) resolve({ response: { ...head, text: other.text() } });
        else bytes.push(null);
      },
      onResponseError(_controller, error) {
        if (bytes === null) reject(error);
        else bytes.destroy(error);
      },
    });
  });
}

function createReadable(controller: { resume(): void; abort(reason: Error): void }): Readable {
  const bytes = new Readable({
    read: () => controller.resume(),
    destroy(error, done) {
      controller.abort(error ?? new Error("The file is no longer needed."));
      done(error);
    },
  });
  return bytes.on("error", () => {}); // whoever reads it gets the error
}
