import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";
import type { CallBody } from "../../formats/parsed-request.ts";

/** Returns the body of `batchEmbedContents` for texts. */
export function toEmbeddingsBody({ model, input, dimensions }: CallBody): Fields {
  const texts = Array.isArray(input) ? input : [input];
  const requests = texts.map((text) =>
    omitNullish({ model: `models/${model}`, content: { parts: [{ text }] }, outputDimensionality: dimensions }),
  );
  return { requests };
}

/** Returns the vectors of an answer of `batchEmbedContents` in the form of OpenAI's API. */
export function readEmbeddings({ embeddings, ...others }: Fields): Fields {
  if (!Array.isArray(embeddings)) return others;
  const data = embeddings.map((embedding, index) => ({
    object: "embedding",
    index,
    embedding: toRecord(embedding).values,
  }));
  return { object: "list", data };
}
