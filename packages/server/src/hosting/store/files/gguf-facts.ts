import {
  type Parse,
  type ParseOptions,
  type ParsePool,
  UnreadableTextError,
} from "../../../platform/core/parse-pool.ts";
import { MINUTE_MS } from "../../../platform/core/time.ts";

/** The properties in the header of a model file that decide how it is run. Sizes are in bytes. */
export type GgufFacts = {
  architecture: string;
  contextLength: number | null;
  /** Memory of one token of context, in the layers with attention to the whole context. */
  bytesPerToken: number;
  /** Memory of each sequence in addition to its tokens: of the layers with sliding-window attention. */
  bytesPerSequence: number;
  /** Memory of the vocabulary in addition to that of a small one. */
  vocabularyBytes: number;
  /** Whether it has a chat template. Base models have none. */
  hasChatTemplate: boolean;
  /** Whether it was made to order texts, and generates none. */
  isReranker: boolean;
  /** Number of parameters, summed over the tensors; null if the file has none. */
  parameterSize: number | null;
};

/** The header of a model file, without its vocabulary. */
export type GgufHeader = {
  fields: Record<string, unknown>;
  parameterCount: number;
  vocabularySize: number;
  /** Whether it has tensors that turn what the model has read into the scores of labels. */
  hasClassifier: boolean;
};

/** Reads the headers of the GGUF file at a path and of its other parts. */
export type ReadGgufHeader = Parse<string, GgufHeader>;

/** llama.cpp's number for models whose output is the rank of a text. */
const RANK_POOLING = 4;
/** A cell of the context cache is a 16-bit number. */
const BYTES_PER_CONTEXT_CELL = 2;
/** llama.cpp evaluates this many tokens at once, and adds them to the window of a layer. */
const BATCH_TOKENS = 512;
/**
 * For an architecture with sliding-window attention, every n-th layer has attention to the whole context. The numbers are
 * llama.cpp's.
 */
const FULL_LAYER_PERIODS: ReadonlyMap<string, number> = new Map([
  ["cohere2", 4],
  ["exaone4", 4],
  ["gemma2", 2],
  ["gemma3", 6],
  ["gemma3n", 5],
  ["gpt-oss", 2],
  ["olmo2", 4],
]);
/** Memory of a vocabulary entry: its text and its row of logits. Measured with vocabularies of 49,152 and 262,144 tokens. */
const BYTES_PER_VOCABULARY_ENTRY = 665;
/** The memory of a vocabulary of this many tokens is part of the overhead of every engine. */
const SMALL_VOCABULARY = 30_000;
const GGUF_PARSER = { file: new URL("./gguf-parser.ts", import.meta.url), timeLimitMs: MINUTE_MS };
const MAX_ARCHITECTURE_LENGTH = 64;
/** More than any real model has. A larger number is invalid, and would make the memory estimate wrong. */
const MAX_LAYERS = 10_000;
const MAX_HEADS = 100_000;
const MAX_WIDTH = 10_000_000;
const MAX_CONTEXT_TOKENS = 1_000_000_000;
const MAX_PARAMETERS = 1e14;

/** Returns the function that reads headers of GGUF files in the worker threads of a pool. */
export const createReadGgufHeader = (pool: ParsePool): ReadGgufHeader => pool.create(GGUF_PARSER);

/** Reads the header of a GGUF file. Throws `UnreadableTextError` for any other file and for implausible numbers. */
export async function readGgufFacts(
  readHeader: ReadGgufHeader,
  path: string,
  options: ParseOptions = {},
): Promise<GgufFacts> {
  const { fields, parameterCount, ...header } = await readHeader(path, options);
  return toGgufFacts(fields, parameterCount, header);
}

/**
 * Derives the properties from the fields of a header, the number of parameters, the size of the vocabulary and the tensors.
 * Throws `UnreadableTextError` for implausible numbers.
 */
export function toGgufFacts(
  fields: Readonly<Record<string, unknown>>,
  parameterCount: number,
  { vocabularySize = 0, hasClassifier = false }: Partial<Pick<GgufHeader, "vocabularySize" | "hasClassifier">> = {},
): GgufFacts {
  const architecture = fields["general.architecture"];
  if (typeof architecture !== "string") throw implausible("it names no architecture");
  if (architecture.length > MAX_ARCHITECTURE_LENGTH) throw implausible("its architecture has too long a name");
  const readNumber = (name: string, max: number): number | null => {
    const value = fields[`${architecture}.${name}`];
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first !== "number" && typeof first !== "bigint") return null;
    const size = Number(first);
    if (!Number.isSafeInteger(size) || size < 0 || size > max)
      throw implausible(`its ${name} is ${String(first).slice(0, 40)}`);
    return size;
  };
  const layers = readNumber("block_count", MAX_LAYERS) ?? 0;
  const heads = Math.max(1, readNumber("attention.head_count", MAX_HEADS) ?? 1);
  const width = (readNumber("embedding_length", MAX_WIDTH) ?? 0) / heads;
  const perHead =
    (readNumber("attention.key_length", MAX_WIDTH) ?? width) +
    (readNumber("attention.value_length", MAX_WIDTH) ?? width);
  const bytesPerLayer = (readNumber("attention.head_count_kv", MAX_HEADS) ?? heads) * perHead * BYTES_PER_CONTEXT_CELL;
  const window = readNumber("attention.sliding_window", MAX_CONTEXT_TOKENS) ?? 0;
  const period = window > 0 ? (FULL_LAYER_PERIODS.get(architecture) ?? 1) : 1;
  const fullLayers = Math.floor(layers / period);
  return {
    architecture,
    contextLength: readNumber("context_length", MAX_CONTEXT_TOKENS) || null,
    bytesPerToken: Math.ceil(fullLayers * bytesPerLayer),
    bytesPerSequence: Math.ceil((layers - fullLayers) * bytesPerLayer * (window + BATCH_TOKENS)),
    vocabularyBytes: Math.max(0, vocabularySize - SMALL_VOCABULARY) * BYTES_PER_VOCABULARY_ENTRY,
    hasChatTemplate: typeof fields["tokenizer.chat_template"] === "string",
    isReranker: isRankPooling(fields[`${architecture}.pooling_type`], hasClassifier),
    parameterSize: toParameterSize(parameterCount),
  };
}

/** Files from before llama.cpp had this type of pooling state none, and have the tensors of a classifier. */
function isRankPooling(type: unknown, hasClassifier: boolean): boolean {
  return type === undefined ? hasClassifier : Number(type) === RANK_POOLING;
}

function toParameterSize(count: number): number | null {
  if (!Number.isSafeInteger(count) || count < 0 || count > MAX_PARAMETERS)
    throw implausible(`its number of parameters is ${String(count).slice(0, 40)}`);
  return count === 0 ? null : count;
}

const implausible = (message: string): UnreadableTextError => new UnreadableTextError("fault", message);
