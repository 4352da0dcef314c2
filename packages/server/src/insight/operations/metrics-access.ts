import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Returns a function that returns whether the header `authorization` of a request allows it to read metrics. Without a
 * token every request may.
 */
export function createMetricsAccess(token: string | undefined): (authorization: string | undefined) => boolean {
  if (token === undefined) return () => true;
  const expected = toHash(`Bearer ${token}`);
  return (authorization) => authorization !== undefined && timingSafeEqual(toHash(authorization), expected);
}

/** Hashes have the same length for every text, so that comparing them takes the same time. */
const toHash = (text: string): Buffer => createHash("sha256").update(text).digest();
