import { parseArgs } from "node:util";
import type { GpuType } from "../model/engine-model.ts";

/** Where the engine listens. */
export type ListenAddress = { type: "socket"; path: string } | { type: "tcp"; host: string; port: number };

/** Arguments of `feather-engine serve`. */
export type ServeArguments = {
  modelPath: string;
  address: ListenAddress;
  modelId: string | undefined;
  contextLength: number | undefined;
  sequences: number;
  threads: number | undefined;
  /** How a graphics card is used; undefined to run on the processor alone. */
  gpu: GpuType | undefined;
  /** Whether the engine stops when its standard input closes, and so with the process that holds the other end. */
  stopWithStdin: boolean;
};

/** The parsed command line. */
export type Command =
  | { name: "help" }
  | { name: "serve"; arguments: ServeArguments }
  | { name: "check"; modelPath: string }
  | { name: "gpu"; gpu: GpuType; modelPath: string | undefined }
  | { name: "fetch"; folder: string; urls: readonly string[] };

/** The command line is invalid; the message says what to change. */
export class UsageError extends Error {}

/** The text of `--help`. */
export const USAGE = `Usage: feather-engine serve <file.gguf> (--socket PATH | --port N) [options]

  --socket PATH     listen on a Unix socket
  --port N          listen on a TCP port; 0 takes a free one
  --host NAME       address for --port (127.0.0.1)
  --model-id ID     the id callers use, such as owner/name (default: the file's name)
  --context N       tokens per sequence (default: the model's own, at most 8192)
  --sequences N     generations that run at the same time (4)
  --threads N       processor threads (default: all cores, one for tiny models)
  --gpu TYPE        put what fits on the graphics card: cuda, vulkan or metal (default: the processor alone)
  --stop-with-stdin end when the standard input is closed

       feather-engine check <file.gguf>

Says as a line of JSON whether llama.cpp knows the architecture of the file, of which only the header is read.

       feather-engine gpu TYPE [file.gguf]

Says as a line of JSON which graphics cards llama.cpp can use in this way, and how much memory they have. With a file it
computes a token on them first, which fails where the driver cannot run what llama.cpp was built for.

       feather-engine fetch <folder> <url>...

Downloads files into a folder, with the token in FEATHER_FILES_TOKEN or HF_TOKEN where there is one, and continues those
that broke off.

With FEATHER_ENGINE_API_KEY, requests below /v1 need it as a bearer token.
`;

const DEFAULT_SEQUENCES = 4;

/** Reads the arguments after the program's name. Throws {@link UsageError}. */
export function parseArguments(argv: readonly string[]): Command {
  const { values, positionals } = readOptions(argv);
  if (values.help) return { name: "help" };
  const [command, modelPath, ...others] = positionals;
  if (command === "fetch") return parseFetch(modelPath, others);
  if (command === "gpu") return { name: "gpu", gpu: parseGpu(modelPath ?? ""), modelPath: others[0] };
  if (command !== "serve" && command !== "check")
    throw new UsageError(`Unknown command ${JSON.stringify(command ?? "")}. Use: serve, check, gpu, fetch`);
  if (modelPath === undefined) throw new UsageError("The path of a GGUF file is missing.");
  if (others.length > 0) throw new UsageError(`One GGUF file only; unexpected: ${others.join(" ")}`);
  if (command === "check") return { name: "check", modelPath };
  return {
    name: "serve",
    arguments: {
      modelPath,
      address: toListenAddress(values),
      modelId: values["model-id"],
      contextLength: parseInteger("context", values.context, { min: 16 }),
      sequences: parseInteger("sequences", values.sequences, { min: 1, max: 256 }) ?? DEFAULT_SEQUENCES,
      threads: parseInteger("threads", values.threads, { min: 1, max: 1024 }),
      gpu: values.gpu === undefined ? undefined : parseGpu(values.gpu),
      stopWithStdin: values["stop-with-stdin"] ?? false,
    },
  };
}

function parseFetch(folder: string | undefined, urls: readonly string[]): Command {
  if (folder === undefined || urls.length === 0) throw new UsageError("Say where to: fetch FOLDER URL...");
  const other = urls.find((url) => !/^https?:\/\//.test(url));
  if (other !== undefined) throw new UsageError(`${JSON.stringify(other)} is not an address of the web.`);
  return { name: "fetch", folder, urls };
}

type Options = ReturnType<typeof readOptions>["values"];

function readOptions(argv: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        socket: text,
        port: text,
        host: text,
        "model-id": text,
        context: text,
        sequences: text,
        threads: text,
        gpu: text,
        "stop-with-stdin": { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const GPU_TYPES: readonly GpuType[] = ["cuda", "vulkan", "metal"];

function parseGpu(text: string): GpuType {
  const type = GPU_TYPES.find((name) => name === text);
  if (type === undefined) throw new UsageError(`A graphics card is used by ${GPU_TYPES.join(", ")}, not by ${text}.`);
  return type;
}

function toListenAddress(values: Options): ListenAddress {
  const port = parseInteger("port", values.port, { min: 0, max: 65535 });
  if ((values.socket === undefined) === (port === undefined)) {
    throw new UsageError("Say where to listen: either --socket PATH or --port N.");
  }
  if (values.socket === "") throw new UsageError("--socket needs a path.");
  if (values.socket !== undefined) return { type: "socket", path: values.socket };
  return { type: "tcp", port: port ?? 0, host: values.host ?? "127.0.0.1" };
}

function parseInteger(
  name: string,
  text: string | undefined,
  bounds: { min: number; max?: number },
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  const { min, max = Number.MAX_SAFE_INTEGER } = bounds;
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  const limits = bounds.max === undefined ? `at least ${min}` : `from ${min} to ${max}`;
  throw new UsageError(`--${name} must be a whole number ${limits}, not ${JSON.stringify(text)}.`);
}
