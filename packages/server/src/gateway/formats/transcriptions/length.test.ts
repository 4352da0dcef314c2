import { expect, test } from "vitest";
import { estimateLength } from "./length.ts";

/** A WAV file of one channel with 16 bits a sample. `format` is 1 for samples that are not compressed. */
function wav(samples: number, bytes: number, { format = 1, chunk = "fmt ", statedRate = samples * 2 } = {}): File {
  const header = Buffer.alloc(44);
  header.write(`RIFF    WAVE${chunk}`, "latin1");
  header.writeUInt16LE(format, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(samples, 24);
  header.writeUInt32LE(statedRate, 28);
  header.writeUInt16LE(16, 34);
  return new File([header, Buffer.alloc(bytes)], "a.wav");
}

const EXACT = { likelyMs: 1_500, longestMs: 1_500 };
const BY_SIZE = { likelyMs: 1_000, longestMs: 8_000 };

test.each([
  ["WAV is exact", wav(16_000, 48_000), EXACT],
  ["WAV does not follow from the rate that its header states", wav(16_000, 48_000, { statedRate: 4e9 }), EXACT],
  ["WAV with a rate of 0 follows from the size", wav(0, 15_956), BY_SIZE],
  ["compressed WAV follows from the size", wav(16_000, 15_956, { format: 2 }), BY_SIZE],
  ["WAV that begins with another chunk follows from the size", wav(16_000, 15_956, { chunk: "JUNK" }), BY_SIZE],
  [
    "another format follows from the size",
    new File([Buffer.alloc(160_000)], "a.mp3"),
    { likelyMs: 10_000, longestMs: 80_000 },
  ],
  ["a file shorter than a header follows from the size", new File(["RIFF"], "a.wav"), { likelyMs: 1, longestMs: 2 }],
])("the estimated length of %s", async (_what, file, length) => expect(await estimateLength(file)).toEqual(length));
