/** The length of a sound in milliseconds, as far as its file tells it: the likely one, and one that hardly any exceeds. */
export type SoundLength = { likelyMs: number; longestMs: number };

/** The length of no sound. */
export const NO_SOUND: SoundLength = { likelyMs: 0, longestMs: 0 };

/** The bytes of a second of MP3 of 128 kbit/s. Most files of speech have fewer, so that the estimate is rather too short. */
const LIKELY_BYTES_PER_SECOND = 16_000;
/** The bytes of a second of speech of 16 kbit/s. Hardly any file has fewer. */
const FEWEST_BYTES_PER_SECOND = 2_000;
const WAV_HEADER_BYTES = 44;
/** Where the header of a WAV file has its number of bytes for a second. */
const WAV_RATE_OFFSET = 28;

/** Estimates the length of the sound in a file. It is exact for WAV, and for other formats derived from the size. */
export async function estimateLength(file: Blob): Promise<SoundLength> {
  const header = Buffer.from(await file.slice(0, WAV_HEADER_BYTES).arrayBuffer());
  const rate = readWavRate(header);
  if (rate === null)
    return { likelyMs: toMs(file.size, LIKELY_BYTES_PER_SECOND), longestMs: toMs(file.size, FEWEST_BYTES_PER_SECOND) };
  const exactMs = toMs(file.size - WAV_HEADER_BYTES, rate);
  return { likelyMs: exactMs, longestMs: exactMs };
}

/** Returns the bytes of a second of a WAV file; null for other files, and for a rate that no speech has. */
function readWavRate(header: Buffer): number | null {
  const isWav =
    header.length === WAV_HEADER_BYTES &&
    header.toString("latin1", 0, 4) === "RIFF" &&
    header.toString("latin1", 8, 12) === "WAVE";
  const rate = isWav ? header.readUInt32LE(WAV_RATE_OFFSET) : 0;
  return rate >= FEWEST_BYTES_PER_SECOND ? rate : null;
}

const toMs = (bytes: number, bytesPerSecond: number): number => Math.ceil((bytes * 1000) / bytesPerSecond);
