import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { readBytes } from "../../input.ts";
import type { InputStream } from "../../output/io.ts";

/** The beginning of files of each format, with one character for each byte. Backends tell formats by a file's name. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^(ID3|\xff[\xe2-\xff])/, "mp3"],
  [/^RIFF.{4}WAVE/s, "wav"],
  [/^OggS/, "ogg"],
  [/^fLaC/, "flac"],
  [/^.{4}ftyp/s, "m4a"],
  [/^.E\xdf\xa3/, "webm"],
];

/** Reads a file of sound; `-` is stdin, whose name says the format that its bytes have. Throws if it cannot be read. */
export async function readSoundFile(path: string, stdin: InputStream): Promise<File> {
  if (path !== "-") return new File([await readFile(path)], basename(path));
  const bytes = await readBytes(stdin);
  return new File([bytes], `stdin.${findFormat(bytes)}`);
}

function findFormat(bytes: Buffer): string {
  const start = bytes.toString("latin1", 0, 12);
  return BEGINNINGS.find(([pattern]) => pattern.test(start))?.[1] ?? "bin";
}
