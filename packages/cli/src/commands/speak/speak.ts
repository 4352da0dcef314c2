import { createWriteStream } from "node:fs";
import { extname } from "node:path";
import { pipeline } from "node:stream/promises";
import { formatBytes } from "@feather/sdk/format";
import { MODEL_TIMEOUT_MS, toWaitHeaders } from "../../chat/answer.ts";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { optionalNumber, parseNumberBetween } from "../../flags.ts";
import { readAll } from "../../input.ts";

const FORMATS = ["mp3", "opus", "aac", "flac", "wav", "pcm"] as const;
type Format = (typeof FORMATS)[number];

/** Options of `feather speak`. */
export type SpeakOptions = {
  readonly model: string;
  /** The text; empty for stdin. */
  readonly text: string;
  /** The path of the file; `-` for stdout. */
  readonly file: string;
  readonly voice?: string;
  /** The backend's own by default. */
  readonly format?: Format;
  readonly speed?: number;
  readonly instructions?: string;
  /** Seconds to wait for free units. */
  readonly queue?: number;
};

/** Writes the sound of a text to a file as it arrives. */
export const speak: Command<SpeakOptions> = {
  name: "speak",
  summary: "Read a text aloud, into a file",
  description:
    "Writes the sound of a text to a file, which is replaced. The file's name says the format: .mp3, .ogg, .opus, .aac, .flac, .wav or .pcm.",
  arguments: [{ name: "[text...]", summary: "the text; stdin if left out" }],
  needs: "sign-in",
  flags: [
    { name: "-m, --model <id>", summary: "a model that makes speech", values: "models" },
    { name: "-o, --output <file>", summary: "the file; - for stdout, which is the default in a pipe" },
    { name: "--voice <name>", summary: "a voice of the model" },
    { name: "--sound <format>", summary: `${FORMATS.join(", ")}; by default what the file's name says` },
    { name: "--speed <factor>", summary: "0.25 to 4", parse: parseNumberBetween(0.25, 4, false) },
    { name: "--instructions <text>", summary: "how to read it, for models that follow such words" },
    { name: "--queue <seconds>", summary: "wait for free units, at most 600", parse: parseNumberBetween(0, 600, true) },
  ],
  examples: [
    'feather speak -m hexgrad/Kokoro-82M --voice af_heart -o hello.mp3 "Feathers are light."',
    "feather speak -m hexgrad/Kokoro-82M < notes.txt | ffplay -",
  ],
  options(args, { model, output: file = "-", voice, sound, speed, instructions, queue }) {
    if (typeof model !== "string")
      throw new UsageError("a model is missing", "-m <model>; feather models list --search tts");
    const format = sound === undefined ? findFormat(String(file)) : requireFormat(sound);
    return {
      model,
      text: args.join(" "),
      file: String(file),
      ...(typeof voice === "string" && { voice }),
      ...(format !== undefined && { format }),
      ...optionalNumber("speed", speed),
      ...(typeof instructions === "string" && { instructions }),
      ...optionalNumber("queue", queue),
    };
  },
  async run({ client, io, output, signal }, { model, text, file, format, queue, ...how }) {
    if (file === "-" && output.tty) throw new UsageError("sound is not written to a terminal", "-o speech.mp3");
    const input = text === "" && io.stdin.isTTY !== true ? (await readAll(io.stdin)).trimEnd() : text;
    if (input === "") throw new UsageError("there is no text", `feather speak -m ${model} "a text", or text on stdin`);
    const body = { model, input, ...how, ...(format !== undefined && { response_format: format }) };
    const limits = { signal, timeout: MODEL_TIMEOUT_MS, headers: toWaitHeaders(queue === undefined ? {} : { queue }) };
    const response = await (await client()).audio.speech.create(body, limits).asResponse();
    const parts = response.body ?? [];
    if (file === "-") for await (const part of parts) output.writeBytes(part);
    else output.hint(`${formatBytes(await writeFile(file, parts))} in ${file}`);
  },
};

/** Writes parts to a file and returns the number of bytes. */
async function writeFile(path: string, parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<number> {
  const target = createWriteStream(path);
  await pipeline(parts, target);
  return target.bytesWritten;
}

function findFormat(file: string): Format | undefined {
  const extension = extname(file).slice(1).toLowerCase();
  return FORMATS.find((format) => format === (extension === "ogg" ? "opus" : extension));
}

function requireFormat(given: unknown): Format {
  const format = FORMATS.find((known) => known === given);
  if (format === undefined) throw new UsageError("this format is unknown", `--sound ${FORMATS.join("|")}`);
  return format;
}
