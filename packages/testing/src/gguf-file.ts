import { encodeStart, encodeString, pad, uint32, uint64 } from "./gguf-encoding.ts";

/** A field of a GGUF file: a text, a whole number, a switch, or floating-point numbers. */
export type GgufField = string | number | boolean | { float: number } | readonly number[];

/** A tensor of 32-bit floats with made up values. The first dimension is the contiguous one. */
export type MadeUpTensor = { name: string; dimensions: readonly number[] };

const UINT32 = 4;
const FLOAT32 = 6;
const BOOL = 7;
const STRING = 8;
const ARRAY = 9;
const F32_TENSOR = 0;

/** Returns a GGUF file with fields, and tensors whose values are the same at each call. */
export function buildGguf(fields: Readonly<Record<string, GgufField>>, tensors: readonly MadeUpTensor[] = []): Buffer {
  const encodedFields = Object.entries(fields).map(([name, value]) =>
    Buffer.concat([encodeString(name), encode(value)]),
  );
  const chunks = tensors.map(({ dimensions }, index) => pad(makeUpValues(dimensions, index)));
  let offset = 0;
  const descriptions = tensors.map(({ name, dimensions }, index) => {
    const sizes = [uint32(dimensions.length), ...dimensions.map(uint64)];
    const description = Buffer.concat([encodeString(name), ...sizes, uint32(F32_TENSOR), uint64(offset)]);
    offset += chunks[index]?.length ?? 0;
    return description;
  });
  const head = [encodeStart(tensors.length, encodedFields.length), ...encodedFields, ...descriptions];
  return Buffer.concat([pad(Buffer.concat(head)), ...chunks]);
}

function encode(value: GgufField): Buffer {
  if (typeof value === "string") return Buffer.concat([uint32(STRING), encodeString(value)]);
  if (typeof value === "boolean") return Buffer.concat([uint32(BOOL), Buffer.from([value ? 1 : 0])]);
  if (typeof value === "number") return Buffer.concat([uint32(UINT32), uint32(value)]);
  if ("float" in value) return Buffer.concat([uint32(FLOAT32), float32(value.float)]);
  return Buffer.concat([uint32(ARRAY), uint32(FLOAT32), uint64(value.length), ...value.map(float32)]);
}

function makeUpValues(dimensions: readonly number[], seed: number): Buffer {
  const count = dimensions.reduce((product, size) => product * size, 1);
  return Buffer.concat(Array.from({ length: count }, (_, index) => float32(Math.sin(index * 12.9898 + seed) / 20)));
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}
