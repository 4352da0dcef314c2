import { brotliDecompressSync } from "node:zlib";

/** Numbers of the tables in the directory of a WOFF2 file that are needed here (WOFF2, section 4.1). */
const TABLE_NUMBERS = { "OS/2": 6, glyf: 10, loca: 11, fvar: 47 } as const;
const HEADER_BYTES = 48;
const ARBITRARY_TAG = 63;

/** Returns the weights that a WOFF2 font holds, as lowest and highest; the same number twice if it is no variable font. */
export function readWeights(font: Buffer): [lowest: number, highest: number] {
  const fvar = readTable(font, TABLE_NUMBERS.fvar);
  for (let axis = 0; fvar && axis < fvar.readUInt16BE(8); axis++) {
    const at = fvar.readUInt16BE(4) + axis * fvar.readUInt16BE(10);
    if (fvar.toString("latin1", at, at + 4) === "wght") return [fvar.readInt16BE(at + 4), fvar.readInt16BE(at + 12)];
  }
  const weight = readTable(font, TABLE_NUMBERS["OS/2"])?.readUInt16BE(4);
  if (weight === undefined) throw new Error("The font has no OS/2 table.");
  return [weight, weight];
}

/** Returns a table of the font; undefined if there is none. */
function readTable(font: Buffer, tableNumber: number): Buffer | undefined {
  let position = HEADER_BYTES;
  let offset = 0;
  let found: [start: number, end: number] | undefined;
  const readNumber = (): number => {
    let value = 0;
    for (let byte = 0x80; byte & 0x80; ) {
      byte = font.readUInt8(position++);
      value = value * 128 + (byte & 0x7f);
    }
    return value;
  };
  for (let table = 0; table < font.readUInt16BE(12); table++) {
    const flags = font.readUInt8(position++);
    const number = flags & 0x3f;
    if (number === ARBITRARY_TAG) position += 4;
    const length = readNumber();
    const version = flags >> 6;
    const isOutline = number === TABLE_NUMBERS.glyf || number === TABLE_NUMBERS.loca;
    const storedLength = (isOutline ? version !== 3 : version !== 0) ? readNumber() : length;
    if (number === tableNumber) found = [offset, offset + storedLength];
    offset += storedLength;
  }
  return found && brotliDecompressSync(font.subarray(position)).subarray(...found);
}
