import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";
import type { CallBody } from "../../formats/parsed-request.ts";
import { unsuitableField } from "../unsuitable.ts";

/** The number of texts that one call may have. */
const MAX_TEXTS = 96;
/** What texts are for where the call does not say it: vectors that are stored, and compared with those of queries. */
const DEFAULT_INPUT_TYPE = "search_document";

/** Returns the body of `/v2/embed`. Throws an `UnsuitableBackendError` for more texts than a call may have. */
export function toEmbedBody({ model, input, dimensions, input_type: type, truncate }: CallBody): Fields {
  const texts = Array.isArray(input) ? input : [input];
  if (texts.length > MAX_TEXTS) throw unsuitableField("input", `takes at most ${MAX_TEXTS} texts at a time.`);
  const input_type = type ?? DEFAULT_INPUT_TYPE;
  return omitNullish({ model, texts, input_type, embedding_types: ["float"], output_dimension: dimensions, truncate });
}

/** Returns the vectors of an answer of `/v2/embed` in the form of OpenAI's API. */
export function readEmbeddings({ embeddings, meta, ...others }: Fields): Fields {
  const { float: vectors } = toRecord(embeddings);
  if (!Array.isArray(vectors)) return others;
  const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
  const { input_tokens: tokens } = toRecord(toRecord(meta).billed_units);
  return { object: "list", data, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}
