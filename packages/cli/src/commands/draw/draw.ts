import { createBaseFetch } from "../../base-fetch.ts";
import { MODEL_TIMEOUT_MS, toWaitHeaders } from "../../chat/answer.ts";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { optionalNumber, optionalText, parseNumberBetween } from "../../flags.ts";
import { readAll } from "../../input.ts";
import { readPicture, type WrittenPicture, writePicture } from "./pictures.ts";

/** Options of `feather draw`. */
export type DrawOptions = {
  readonly model: string;
  /** What the pictures show; empty for stdin. */
  readonly text: string;
  /** The path of the file; `-` for stdout. A free name in the working directory by default. */
  readonly file?: string;
  /** The number of pictures; 1 by default. */
  readonly n?: number;
  readonly size?: string;
  readonly quality?: string;
  /** Seconds to wait for free units. */
  readonly queue?: number;
};

const MAX_PICTURES = 10;

/** Makes pictures from a text and writes them to files. */
export const draw: Command<DrawOptions> = {
  name: "draw",
  summary: "Make pictures from a text, into files",
  description:
    "Writes pictures to files and prints their paths. A file that -o names is replaced; without it they are called picture-1.png and so on.",
  arguments: [{ name: "[text...]", summary: "what the pictures show; stdin if left out" }],
  prints: "json",
  needs: "sign-in",
  flags: [
    { name: "-m, --model <id>", summary: "a model that makes pictures", values: "models" },
    { name: "-o, --output <file>", summary: "the file; - for stdout. The second of several ends with -2" },
    { name: "-n, --count <number>", summary: "how many, at most 10", parse: parseNumberBetween(1, MAX_PICTURES, true) },
    { name: "--size <size>", summary: "width and height, such as 1024x1024, as the backend takes them" },
    { name: "--quality <quality>", summary: "the quality, as the backend names it" },
    { name: "--queue <seconds>", summary: "wait for free units, at most 600", parse: parseNumberBetween(0, 600, true) },
  ],
  examples: [
    'feather draw -m black-forest-labs/FLUX.1-schnell -o feather.png "A feather on a stone"',
    "feather draw -m black-forest-labs/FLUX.1-schnell -n 3 --size 1024x1024 < prompt.txt",
  ],
  options(args, { model, output: file, count, size, quality, queue }) {
    if (typeof model !== "string")
      throw new UsageError("a model is missing", "-m <model>; feather models list --search image");
    return {
      model,
      text: args.join(" "),
      ...optionalText("file", file),
      ...optionalNumber("n", count),
      ...optionalText("size", size),
      ...optionalText("quality", quality),
      ...optionalNumber("queue", queue),
    };
  },
  async run({ client, io, output, signal }, { model, text, file, n, queue, ...how }) {
    if (file === "-" && output.tty) throw new UsageError("pictures are not written to a terminal", "-o picture.png");
    if (file === "-" && (output.json || (n ?? 1) > 1))
      throw new UsageError("stdout takes one picture and nothing else", "-o picture.png");
    const prompt = text === "" && io.stdin.isTTY !== true ? (await readAll(io.stdin)).trim() : text;
    if (prompt === "") throw new UsageError("there is no text", `feather draw -m ${model} "a text", or text on stdin`);
    const body = { model, prompt, ...how, ...(n !== undefined && { n }) };
    const limits = { signal, timeout: MODEL_TIMEOUT_MS, headers: toWaitHeaders(queue === undefined ? {} : { queue }) };
    const { data, usage } = await (await client()).images.generate(body, limits);
    const fetch = await createBaseFetch(io.env);
    const files: WrittenPicture[] = [];
    for (const [index, image] of data.entries()) {
      const picture = await readPicture(image, fetch, signal);
      if (file === "-") return output.writeBytes(picture);
      files.push(await writePicture(file, picture, index));
    }
    if (output.json) output.printJson({ files, ...(usage && { usage }) });
    else for (const { path } of files) output.print(path);
  },
};
