import { type Parse, type ParseOptions, type ParsePool, UnreadableTextError } from "../../core/parse-pool.ts";
import { MINUTE_MS } from "../../core/time.ts";

/** What the header of a model file says about running it. */
export type GgufFacts = {
  architecture: string;
  contextLength: number | null;
  /** Memory of one token of context, in the layers that see all of it. */
  bytesPerToken: number;
  /** Memory of each sequence, whatever its length: of the layers that see a window only. */
  bytesPerSequence: number;
  /** Memory of the vocabulary, beyond that of a small one. */
  vocabularyBytes: number;
  /** Whether it has a chat template. Base models have none. */
  hasChatTemplate: boolean;
  /** Number of parameters, summed over the tensors; null if the file has none. */
  parameterSize: number | null;
};

/** What the header of a model file holds, without the vocabulary. */
export type GgufHeader = { fields: Record<string, unknown>; parameterCount: number; vocabularySize: number };

/** Reads the header of the GGUF file at a path, and of its other parts. */
export type ReadGgufHeader = Parse<string, GgufHeader>;

/** A cell of the context cache is a 16-bit number. */
const BYTES_PER_CONTEXT_CELL = 2;
/** Tokens that are added to the window of a layer: llama.cpp evaluates so many at once. */
const BATCH_TOKENS = 512;
/** Every so many layers see the whole context, the others a window, by architecture, as llama.cpp has it. */
const FULL_LAYER_PERIODS: Readonly<Record<string, number>> = {
  cohere2: 4,
  exaone4: 4,
  gemma2: 2,
  gemma3: 6,
  gemma3n: 5,
  "gpt-oss": 2,
  olmo2: 4,
};
/** Measured with vocabularies of 49,152 and 262,144 tokens: their texts, and the row of logits of each. */
const BYTES_PER_VOCABULARY_ENTRY = 665;
/** A vocabulary of so many tokens is part of what every engine takes. */
const SMALL_VOCABULARY = 30_000;
const GGUF_PARSER = { file: new URL("./gguf-parser.ts", import.meta.url), timeLimitMs: MINUTE_MS };
const MAX_ARCHITECTURE_LENGTH = 64;
/** Above any real model. A larger number is invalid, and would make the memory estimate wrong. */
const MAX_LAYERS = 10_000;
const MAX_HEADS = 100_000;
const MAX_WIDTH = 10_000_000;
const MAX_CONTEXT_TOKENS = 1_000_000_000;
const MAX_PARAMETERS = 1e14;

/** Returns what reads the headers of GGUF files in the threads of a pool. */
export const createReadGgufHeader = (pool: ParsePool): ReadGgufHeader => pool.create(GGUF_PARSER);

/** Reads the header of a GGUF file. Throws `UnreadableTextError` for any other file and for implausible numbers. */
export async function readGgufFacts(
  readHeader: ReadGgufHeader,
  path: string,
  options: ParseOptions = {},
): Promise<GgufFacts> {
  const { fields, parameterCount, vocabularySize } = await readHeader(path, options);
  return toGgufFacts(fields, parameterCount, vocabularySize);
}

/**
 * Derives the facts from the fields of a header, the sum of its tensors' sizes and the number of its tokens. Throws
 * `UnreadableTextError` for implausible numbers.
 */
export function toGgufFacts(
  fields: Readonly<Record<string, unknown>>,
  parameterCount: number,
  vocabularySize = 0,
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
  const period = window > 0 ? (FULL_LAYER_PERIODS[architecture] ?? 1) : 1;
  const fullLayers = Math.floor(layers / period);
  return {
    architecture,
    contextLength: readNumber("context_length", MAX_CONTEXT_TOKENS) || null,
    bytesPerToken: Math.ceil(fullLayers * bytesPerLayer),
    bytesPerSequence: Math.ceil((layers - fullLayers) * bytesPerLayer * (window + BATCH_TOKENS)),
    vocabularyBytes: Math.max(0, vocabularySize - SMALL_VOCABULARY) * BYTES_PER_VOCABULARY_ENTRY,
    hasChatTemplate: typeof fields["tokenizer.chat_template"] === "string",
    parameterSize: toParameterSize(parameterCount),
  };
}

function toParameterSize(count: number): number | null {
  if (!Number.isSafeInteger(count) || count < 0 || count > MAX_PARAMETERS)
    throw implausible(`its number of parameters is ${String(count).slice(0, 40)}`);
  return count === 0 ? null : count;
}

const implausible = (message: string): UnreadableTextError => new UnreadableTextError("fault", message);
