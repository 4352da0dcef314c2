import type { TranscriptionEvent } from "@feather/sdk";
import { MODEL_TIMEOUT_MS, toWaitHeaders } from "../../chat/answer.ts";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { optionalNumber, optionalText, parseNumberBetween } from "../../flags.ts";
import { sanitize } from "../../output/sanitize.ts";
import { readSoundFile } from "./sound-file.ts";

const SUBTITLES = ["srt", "vtt"] as const;
type Subtitles = (typeof SUBTITLES)[number];

/** Options of `feather transcribe`. */
export type TranscribeOptions = {
  readonly model: string;
  /** The path of the file; `-` for stdin. */
  readonly file: string;
  /** The format of subtitles that are printed in place of the text. */
  readonly subtitles?: Subtitles;
  /** Whether the response has the times of the parts. */
  readonly timestamps: boolean;
  readonly language?: string;
  readonly prompt?: string;
  /** Whether the text is in English, whatever is spoken. */
  readonly english: boolean;
  /** Seconds to wait for free units. */
  readonly queue?: number;
};

/** Prints the text of a file of speech. */
export const transcribe: Command<TranscribeOptions> = {
  name: "transcribe",
  summary: "Write down speech",
  description:
    "Prints the text of a file of speech, or subtitles; with --json, the whole response. At a terminal the text comes while it is written down, if the backend sends it so.",
  arguments: [{ name: "<file>", summary: "the file of the sound, of 25 MiB at most; - for stdin" }],
  prints: "json",
  needs: "sign-in",
  flags: [
    { name: "-m, --model <id>", summary: "a model that writes down speech", values: "models" },
    { name: "--language <code>", summary: "the language that is spoken; found out if left out" },
    { name: "--subtitles <format>", summary: "srt or vtt", parse: requireSubtitles },
    { name: "--timestamps", summary: "with --json: the times of the parts, where the backend has them" },
    { name: "--english", summary: "translate to English" },
    { name: "--prompt <text>", summary: "a text that shows the style, or spells names" },
    { name: "--queue <seconds>", summary: "wait for free units, at most 600", parse: parseNumberBetween(0, 600, true) },
  ],
  examples: [
    "feather transcribe -m openai/whisper-large-v3 meeting.mp3",
    "feather transcribe -m openai/whisper-large-v3 --subtitles srt film.m4a > film.srt",
    "ffmpeg -i film.mkv -f mp3 - | feather transcribe -m openai/whisper-large-v3 -",
  ],
  options([file = ""], { model, subtitles, timestamps, language, prompt, english, queue }) {
    if (typeof model !== "string")
      throw new UsageError("a model is missing", "-m <model>; feather models list --search whisper");
    if (english === true && language !== undefined)
      throw new UsageError("--language cannot be used with --english", "leave one of them out");
    return {
      model,
      file,
      ...(isSubtitles(subtitles) && { subtitles }),
      timestamps: timestamps === true,
      ...optionalText("language", language),
      ...optionalText("prompt", prompt),
      english: english === true,
      ...optionalNumber("queue", queue),
    };
  },
  async run(context, { model, file: path, subtitles, timestamps, english, queue, ...how }) {
    const { client, io, output, signal } = context;
    if (subtitles !== undefined && (output.json || timestamps))
      throw new UsageError("subtitles are no JSON", "leave out --subtitles, or --json and --timestamps");
    const file = await readSoundFile(path, io.stdin);
    if (file.size === 0) throw new UsageError("the file is empty", `feather transcribe -m ${model} meeting.mp3`);
    const limits = { signal, timeout: MODEL_TIMEOUT_MS, headers: toWaitHeaders(queue === undefined ? {} : { queue }) };
    const format: Subtitles | "verbose_json" | undefined = subtitles ?? (timestamps ? "verbose_json" : undefined);
    const body = { file, model, ...how, ...(format !== undefined && { response_format: format }) };
    const { audio } = await client();
    if (output.tty && !output.json && format === undefined && !english) {
      await printTranscript(context, await audio.transcriptions.create({ ...body, stream: true }, limits));
      return;
    }
    const call = english ? audio.translations.create(body, limits) : audio.transcriptions.create(body, limits);
    if (subtitles !== undefined) {
      output.print((await (await call.asResponse()).text()).trimEnd());
      return;
    }
    const answer = await call;
    if (output.json) output.printJson(answer);
    else output.print(answer.text.trim());
  },
};

/** Prints a text while it is written down. */
async function printTranscript(
  { io, output }: Pick<Context, "io" | "output">,
  events: AsyncIterable<TranscriptionEvent>,
): Promise<void> {
  const wait = output.waits.begin("Waiting for the text");
  let hasBegun = false;
  try {
    for await (const event of events) {
      if (event.type !== "transcript.text.delta") continue;
      const text = hasBegun ? event.delta : event.delta.trimStart();
      if (text === "") continue;
      wait.end();
      hasBegun = true;
      io.stdout.write(sanitize(text));
    }
  } finally {
    wait.end();
    io.stdout.write("\n");
  }
}

const isSubtitles = (given: unknown): given is Subtitles => SUBTITLES.some((format) => format === given);

function requireSubtitles(given: string): Subtitles {
  if (isSubtitles(given)) return given;
  throw new UsageError("this format is unknown", `--subtitles ${SUBTITLES.join("|")}`);
}
