/** The length of a sound in milliseconds, as far as its file tells it: the likely one, and one that hardly any exceeds. */
export type SoundLength = { likelyMs: number; longestMs: number };

/** The length of no sound. */
export const NO_SOUND: SoundLength = { likelyMs: 0, longestMs: 0 };

/** The bytes of a second of MP3 of 128 kbit/s. Most files of speech have fewer, so that the estimate is rather too short. */
const LIKELY_BYTES_PER_SECOND = 16_000;
/** The bytes of a second of speech of 16 kbit/s. Hardly any file has fewer. */
const FEWEST_BYTES_PER_SECOND = 2_000;
const WAV_HEADER_BYTES = 44;
/** The formats of samples that are not compressed: integers, numbers with fractions, and either with more channels. */
const UNCOMPRESSED: ReadonlySet<number> = new Set([1, 3, 0xfffe]);
const BITS_PER_BYTE = 8;

/** Estimates the length of the sound in a file. It is exact for WAV, and for other formats derived from the size. */
export async function estimateLength(file: Blob): Promise<SoundLength> {
  const header = Buffer.from(await file.slice(0, WAV_HEADER_BYTES).arrayBuffer());
  const rate = readWavRate(header);
  if (rate === null)
    return { likelyMs: toMs(file.size, LIKELY_BYTES_PER_SECOND), longestMs: toMs(file.size, FEWEST_BYTES_PER_SECOND) };
  const exactMs = toMs(file.size - WAV_HEADER_BYTES, rate);
  return { likelyMs: exactMs, longestMs: exactMs };
}

/**
 * Returns the bytes of a second of a WAV file that is not compressed; null for other files, and for a rate that no speech has. It
 * follows from what decoders read. The header states it as well, but a wrong number there changes nothing that is heard.
 */
function readWavRate(header: Buffer): number | null {
  const isWav =
    header.length === WAV_HEADER_BYTES &&
    header.toString("latin1", 0, 4) === "RIFF" &&
    header.toString("latin1", 8, 16) === "WAVEfmt " &&
    UNCOMPRESSED.has(header.readUInt16LE(20));
  if (!isWav) return null;
  const [channels, samples, bits] = [header.readUInt16LE(22), header.readUInt32LE(24), header.readUInt16LE(34)];
  const rate = (samples * channels * bits) / BITS_PER_BYTE;
  return rate >= FEWEST_BYTES_PER_SECOND ? rate : null;
}

const toMs = (bytes: number, bytesPerSecond: number): number => Math.ceil((bytes * 1000) / bytesPerSecond);
