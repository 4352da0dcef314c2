import { gguf } from "@huggingface/gguf";

/** What the head of a model file says about running it. */
export type GgufFacts = { architecture: string; contextLength: number | null; bytesPerToken: number };

/** A context cell holds 16-bit numbers. */
const CELL = 2;

/** Reads the head of a GGUF file. Throws for anything else. */
export async function ggufFacts(path: string): Promise<GgufFacts> {
  const { metadata } = await gguf(path, { allowLocalFile: true });
  const fields: Record<string, unknown> = { ...metadata };
  const architecture = fields["general.architecture"];
  if (typeof architecture !== "string") throw new Error("it names no architecture");
  const number = (name: string): number | null => {
    const value = fields[`${architecture}.${name}`];
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === "number" || typeof first === "bigint" ? Number(first) : null;
  };
  const layers = number("block_count") ?? 0;
  const heads = number("attention.head_count") ?? 1;
  const width = (number("embedding_length") ?? 0) / heads;
  const perHead = (number("attention.key_length") ?? width) + (number("attention.value_length") ?? width);
  const bytesPerToken = layers * (number("attention.head_count_kv") ?? heads) * perHead * CELL;
  return { architecture, contextLength: number("context_length"), bytesPerToken: Math.ceil(bytesPerToken) };
}
