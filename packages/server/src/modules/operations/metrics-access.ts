import { createHash, timingSafeEqual } from "node:crypto";

/** Returns whether the header `authorization` of a request allows it to read metrics; always without a token. */
export function createMetricsAccess(token: string | undefined): (authorization: string | undefined) => boolean {
  if (token === undefined) return () => true;
  const expected = toHash(`Bearer ${token}`);
  return (authorization) => authorization !== undefined && timingSafeEqual(toHash(authorization), expected);
}

/** Of the same length for every text, so that comparing takes the same time. */
const toHash = (text: string): Buffer => createHash("sha256").update(text).digest();
