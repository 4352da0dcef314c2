import type { HubFile, HubModel } from "../../hub/index.ts";
import { estimateBytesPerToken } from "./bytes-per-token.ts";

/** The properties of a model in safetensors files. Sizes are in bytes, the context is in tokens. */
export type SafetensorsFacts = {
  /** The files to download: weights, configuration, tokenizer. */
  files: readonly HubFile[];
  /** The first file with weights. */
  weightFile: string;
  /** Size of the weights. */
  size: number;
  /** Size of all files. */
  downloadSize: number;
  parameterSize: number;
  contextLength: number | null;
  bytesPerToken: number;
};

const WEIGHTS = /^[^/]+\.safetensors$/;
/** The files that are downloaded. Copies of the weights in other formats, adapters and pictures are left out. */
const READ_FILES = /^[^/]+\.(?:safetensors|json|jinja|txt|model|tiktoken)$/;
const ADAPTER = /^adapter_/;

/** Returns whether a program that runs safetensors models reads a file with this name. */
export const isReadFile = (name: string): boolean => READ_FILES.test(name);
const BYTES_PER_16_BITS = 2;
/** Names that configurations use for the context length. */
const CONTEXT_FIELDS = ["max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length", "seq_length"];

/** Returns the properties of a repository with weights in safetensors files; null for any other. */
export function readSafetensorsFacts({ files, config, parameters }: HubModel): SafetensorsFacts | null {
  const weights = files.filter(({ path, size }) => WEIGHTS.test(path) && !ADAPTER.test(path) && size > 0);
  const [first] = weights;
  if (!first || config === null || files.some(({ path }) => ADAPTER.test(path))) return null;
  const size = sumSizes(weights);
  const counted = Object.values(parameters ?? {}).reduce((sum, count) => sum + count, 0);
  const parameterSize = counted > 0 ? counted : Math.round(size / BYTES_PER_16_BITS);
  const text = isRecord(config.text_config) ? config.text_config : config;
  const read = files.filter(({ path }) => isReadFile(path));
  return {
    files: read,
    weightFile: first.path,
    size,
    downloadSize: sumSizes(read),
    parameterSize,
    contextLength: CONTEXT_FIELDS.map((name) => readCount(text[name])).find((tokens) => tokens !== null) ?? null,
    bytesPerToken: readBytesPerToken(text) ?? estimateBytesPerToken(parameterSize),
  };
}

/**
 * Returns the bytes of one token of context: its keys and values of all layers in 16 bits. Null if the configuration lacks
 * their sizes.
 */
function readBytesPerToken(config: Readonly<Record<string, unknown>>): number | null {
  const layers = readCount(config.num_hidden_layers);
  const attentionHeads = readCount(config.num_attention_heads);
  const heads = readCount(config.num_key_value_heads) ?? attentionHeads;
  const width = readCount(config.hidden_size);
  const headWidth = readCount(config.head_dim) ?? (width && attentionHeads ? width / attentionHeads : null);
  if (layers === null || heads === null || headWidth === null) return null;
  return Math.ceil(2 * layers * heads * headWidth * BYTES_PER_16_BITS);
}

function readCount(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function sumSizes(files: readonly HubFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
