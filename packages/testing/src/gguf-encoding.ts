const ALIGNMENT = 32;

/** Returns the next multiple of 32, to which the parts of a GGUF file are aligned. */
export const align = (size: number): number => Math.ceil(size / ALIGNMENT) * ALIGNMENT;

/** Returns bytes that are filled up with zeros to a multiple of 32. */
export const pad = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(align(bytes.length) - bytes.length)]);

/** Returns the start of a GGUF file of version 3, up to its fields. */
export const encodeStart = (tensorCount: number, fieldCount: number): Buffer =>
  Buffer.concat([Buffer.from("GGUF"), uint32(3), uint64(tensorCount), uint64(fieldCount)]);

/** Returns a text as GGUF stores it. */
export const encodeString = (text: string): Buffer =>
  Buffer.concat([uint64(Buffer.byteLength(text)), Buffer.from(text)]);

/** Returns a number of 16 bits. */
export function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

/** Returns a number of 32 bits. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Returns a number of 64 bits. */
export function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
