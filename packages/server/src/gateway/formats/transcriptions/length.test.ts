import { expect, test } from "vitest";
import { estimateLength } from "./length.ts";

function wav(bytesPerSecond: number, bytes: number): File {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.write("WAVE", 8, "latin1");
  header.writeUInt32LE(bytesPerSecond, 28);
  return new File([header, Buffer.alloc(bytes)], "a.wav");
}

test.each([
  ["WAV is exact", wav(32_000, 48_000), { likelyMs: 1_500, longestMs: 1_500 }],
  ["WAV with a rate of 0 is that of another file", wav(0, 15_956), { likelyMs: 1_000, longestMs: 8_000 }],
  [
    "another format follows from the size",
    new File([Buffer.alloc(160_000)], "a.mp3"),
    { likelyMs: 10_000, longestMs: 80_000 },
  ],
  ["a file shorter than a header follows from the size", new File(["RIFF"], "a.wav"), { likelyMs: 1, longestMs: 2 }],
])("the estimated length of %s", async (_what, file, length) => expect(await estimateLength(file)).toEqual(length));
