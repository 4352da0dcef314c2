import { z } from "zod";
import { prioritySchema } from "./generation-fields.ts";

const text = z.string().min(1);

/** The body of `POST /v1/embeddings`. */
export const embeddingRequestSchema = z.object({
  model: z.string().nullish(),
  input: z.union([text, z.array(text).min(1).max(2048)], { error: "expected a text or an array of texts, none empty" }),
  encoding_format: z.enum(["float", "base64"]).nullish(),
  priority: prioritySchema,
  dimensions: z.int().min(1).nullish(),
});

/** The body of `POST /v1/tokenize`. */
export const tokenizeRequestSchema = z.object({ model: z.string().nullish(), text: z.string() });
