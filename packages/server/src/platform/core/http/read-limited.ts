/** The error for a body that exceeds its limit. */
export class BodyTooLongError extends Error {
  override readonly name = "BodyTooLongError";

  /** `maxBytes` is the exceeded limit. */
  constructor(maxBytes: number) {
    super(`It sent more than ${maxBytes / 1024 / 1024} MB.`);
  }
}

/** Returns the bytes of a body. Throws `BodyTooLongError` as soon as there are more than `maxBytes`, and stops reading. */
export async function readLimited(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let read = 0;
  for await (const part of body ?? []) {
    read += part.length;
    if (read > maxBytes) throw new BodyTooLongError(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
