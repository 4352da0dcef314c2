import { align, encodeStart, encodeString, pad, uint16, uint32, uint64 } from "./gguf-encoding.ts";

const MAGIC_BYTES = 24;
const STRING = 8;
const ARRAY = 9;
const UINT16 = 2;
const INT32 = 5;
/** Bytes of the values of each type that have a fixed size. */
const VALUE_BYTES: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};

/** A tensor of a file: its name and shape as they are encoded, and its data. */
type Tensor = { description: Buffer; data: Buffer };

/**
 * Splits a GGUF file into `count` files, as `llama-gguf-split` does: the first has all fields of the file, and each has
 * some of its tensors. The file must be of version 3 and aligned to 32 bytes.
 */
export function splitGguf(file: Buffer, count: number): Buffer[] {
  const { fieldCount, fields, tensors } = parseGguf(file);
  const perPart = Math.ceil(tensors.length / count);
  return Array.from({ length: count }, (_, index) => {
    const own = tensors.slice(index * perPart, (index + 1) * perPart);
    const places = encodePlaces(index, count, tensors.length);
    return index === 0 ? encodeGguf(Buffer.concat([fields, places]), fieldCount + 3, own) : encodeGguf(places, 3, own);
  });
}

function encodePlaces(index: number, count: number, tensorCount: number): Buffer {
  return Buffer.concat([
    ...[encodeString("split.no"), uint32(UINT16), uint16(index)],
    ...[encodeString("split.count"), uint32(UINT16), uint16(count)],
    ...[encodeString("split.tensors.count"), uint32(INT32), uint32(tensorCount)],
  ]);
}

function parseGguf(file: Buffer): { fieldCount: number; fields: Buffer; tensors: Tensor[] } {
  const [tensorCount, fieldCount] = [readLength(file, 8), readLength(file, 16)];
  let at = MAGIC_BYTES;
  for (let index = 0; index < fieldCount; index++) at = skipField(file, at);
  const fields = file.subarray(MAGIC_BYTES, at);
  const places: { description: Buffer; offset: number }[] = [];
  for (let index = 0; index < tensorCount; index++) {
    const dimensionsAt = skipString(file, at);
    const offsetAt = dimensionsAt + 4 + file.readUInt32LE(dimensionsAt) * 8 + 4;
    places.push({ description: file.subarray(at, offsetAt), offset: readLength(file, offsetAt) });
    at = offsetAt + 8;
  }
  const dataAt = align(at);
  const tensors = places.map(({ description, offset }, index) => {
    const end = places[index + 1]?.offset ?? file.length - dataAt;
    return { description, data: file.subarray(dataAt + offset, dataAt + end) };
  });
  return { fieldCount, fields, tensors };
}

function encodeGguf(fields: Buffer, fieldCount: number, tensors: readonly Tensor[]): Buffer {
  let offset = 0;
  const descriptions = tensors.map(({ description, data }) => {
    const encoded = Buffer.concat([description, uint64(offset)]);
    offset += align(data.length);
    return encoded;
  });
  const head = [encodeStart(tensors.length, fieldCount), fields, ...descriptions];
  return Buffer.concat([pad(Buffer.concat(head)), ...tensors.map(({ data }) => pad(data))]);
}

function skipField(file: Buffer, at: number): number {
  const typeAt = skipString(file, at);
  return skipValue(file, typeAt + 4, file.readUInt32LE(typeAt));
}

function skipValue(file: Buffer, at: number, type: number): number {
  if (type === STRING) return skipString(file, at);
  if (type !== ARRAY) return at + bytesOf(type);
  const itemType = file.readUInt32LE(at);
  const length = readLength(file, at + 4);
  if (itemType !== STRING) return at + 12 + length * bytesOf(itemType);
  let end = at + 12;
  for (let index = 0; index < length; index++) end = skipString(file, end);
  return end;
}

function bytesOf(type: number): number {
  const bytes = VALUE_BYTES[type];
  if (bytes === undefined) throw new Error(`The GGUF file has a value of the type ${type}.`);
  return bytes;
}

const readLength = (file: Buffer, at: number): number => Number(file.readBigUInt64LE(at));
const skipString = (file: Buffer, at: number): number => at + 8 + readLength(file, at);
