const BYTES_OF_NUMBER = 4;

/** Vectors of one length, one after the other. */
export type Vectors = { dimensions: number; values: Float32Array };

/** Brings vectors to length 1. Throws if they are not of one length, or hold what is no number. */
export function toVectors(rows: readonly (readonly number[])[]): Vectors {
  const dimensions = rows[0]?.length ?? 0;
  const values = new Float32Array(rows.length * dimensions);
  for (const [index, row] of rows.entries()) {
    if (row.length !== dimensions || dimensions === 0 || !row.every(Number.isFinite))
      throw new RangeError("The model answered with vectors that cannot be compared.");
    const length = Math.hypot(...row) || 1;
    values.set(
      row.map((value) => value / length),
      index * dimensions,
    );
  }
  return { dimensions, values };
}

/** Returns vectors as bytes in little-endian order. */
export const toBytes = ({ values }: Vectors): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** Reads vectors from bytes. */
export function fromBytes(bytes: Uint8Array, dimensions: number): Vectors {
  const aligned = new Uint8Array(bytes); // a copy, since bytes of the database may begin anywhere
  return { dimensions, values: new Float32Array(aligned.buffer, 0, aligned.length / BYTES_OF_NUMBER) };
}

/** Returns the similarity of each vector to the first one of `query`: their cosine, since all have length 1. */
export function compare(query: Vectors, { dimensions, values }: Vectors): number[] {
  const similarities: number[] = [];
  for (let start = 0; start < values.length; start += dimensions) {
    let sum = 0;
    for (let at = 0; at < dimensions; at++) sum += (values[start + at] ?? 0) * (query.values[at] ?? 0);
    similarities.push(sum);
  }
  return similarities;
}
