import type { IncomingMessage } from "node:http";
import { errors } from "../../platform/core/errors/index.ts";
import { parseJsonBody } from "../bodies/json-body.ts";
import { bodyTooLarge, jsonExpected } from "../framework-errors.ts";
import { type Validate, validationError } from "../validation.ts";

/** A body as it was received. */
export type ReceivedBody = { text: string; bytes: number };

/**
 * Receives the body of a request. Returns null if the caller disconnects before its end. Throws 413 for more than `maxBytes`;
 * the rest is then not read.
 */
export function receiveBody(request: IncomingMessage, maxBytes: number): Promise<ReceivedBody | null> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers["content-length"]) > maxBytes) return reject(bodyTooLarge(maxBytes));
    const parts: Buffer[] = [];
    let bytes = 0;
    const onData = (part: Buffer) => {
      bytes += part.length;
      if (bytes <= maxBytes) return void parts.push(part);
      request.off("data", onData).pause();
      reject(bodyTooLarge(maxBytes));
    };
    request.on("data", onData);
    request.once("end", () => {
      const [first] = parts;
      const whole = parts.length === 1 && first ? first : Buffer.concat(parts, bytes);
      resolve({ text: whole.toString("utf8"), bytes });
    });
    request.once("error", () => resolve(null));
    request.once("close", () => resolve(null));
  });
}

/**
 * Returns the value of a body. Throws 415 for a body without a content type, `invalid_json`, and `invalid_request` if there
 * is no body or it is too complex or invalid by the contract.
 */
export function parseCallBody(text: string, contentType: string | undefined, validate: Validate): unknown {
  if (contentType === undefined) throw text === "" ? errors.invalidRequest("A body is required.") : jsonExpected();
  const body = parseJsonBody(text);
  if (body === null) throw errors.invalidRequest("A body is required.");
  if (validate(body)) return body;
  throw validationError(validate.errors ?? [], "body");
}
