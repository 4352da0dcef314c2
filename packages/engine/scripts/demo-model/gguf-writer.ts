/** One metadata value, with the type GGUF stores it as. */
export type GgufValue =
  | { type: "uint32"; value: number }
  | { type: "float32"; value: number }
  | { type: "bool"; value: boolean }
  | { type: "string"; value: string }
  | { type: "strings"; value: readonly string[] }
  | { type: "int32s"; value: readonly number[] };

/** A tensor of 32-bit floats. `dims[0]` is the contiguous one: a matrix of `rows` outputs is `[inputs, rows]`. */
export type GgufTensor = { name: string; dims: readonly number[]; data: Float32Array };

/** The content of a GGUF file. */
export type GgufFile = { metadata: ReadonlyMap<string, GgufValue>; tensors: readonly GgufTensor[] };

const VERSION = 3;
const ALIGNMENT = 32;
const TENSOR_TYPE_F32 = 0;
const VALUE_TYPE = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 };

/** The bytes of a GGUF file, version 3, little-endian, with tensor data aligned to 32 bytes. */
export function encodeGguf(file: GgufFile): Buffer {
  const { infos, chunks } = layOutTensors(file.tensors);
  const header = Buffer.concat([
    Buffer.from("GGUF"),
    uint32(VERSION),
    uint64(file.tensors.length),
    uint64(file.metadata.size),
    ...Array.from(file.metadata, ([key, value]) => Buffer.concat([string(key), metadataValue(value)])),
    ...infos,
  ]);
  return Buffer.concat([padded(header), ...chunks]);
}

function layOutTensors(tensors: readonly GgufTensor[]): { infos: Buffer[]; chunks: Buffer[] } {
  const infos: Buffer[] = [];
  const chunks: Buffer[] = [];
  let offset = 0;
  for (const { name, dims, data } of tensors) {
    const size = dims.reduce((product, dim) => product * dim, 1);
    if (size !== data.length) throw new Error(`Tensor ${name} has ${data.length} values, its dimensions say ${size}.`);
    infos.push(
      Buffer.concat([string(name), uint32(dims.length), ...dims.map(uint64), uint32(TENSOR_TYPE_F32), uint64(offset)]),
    );
    const chunk = padded(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    chunks.push(chunk);
    offset += chunk.length;
  }
  return { infos, chunks };
}

function metadataValue(entry: GgufValue): Buffer {
  switch (entry.type) {
    case "uint32":
      return Buffer.concat([uint32(VALUE_TYPE.uint32), uint32(entry.value)]);
    case "float32":
      return Buffer.concat([uint32(VALUE_TYPE.float32), float32(entry.value)]);
    case "bool":
      return Buffer.concat([uint32(VALUE_TYPE.bool), Buffer.from([entry.value ? 1 : 0])]);
    case "string":
      return Buffer.concat([uint32(VALUE_TYPE.string), string(entry.value)]);
    case "strings":
      return array(VALUE_TYPE.string, entry.value.map(string));
    case "int32s":
      return array(VALUE_TYPE.int32, entry.value.map(int32));
  }
}

function array(elementType: number, elements: readonly Buffer[]): Buffer {
  return Buffer.concat([uint32(VALUE_TYPE.array), uint32(elementType), uint64(elements.length), ...elements]);
}

function string(text: string): Buffer {
  const bytes = Buffer.from(text, "utf8");
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function padded(bytes: Buffer): Buffer {
  const missing = (ALIGNMENT - (bytes.length % ALIGNMENT)) % ALIGNMENT;
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}
