import type { FastifyInstance } from "fastify";
import type { Embedding } from "../model/engine-model.ts";
import { embeddingRequestSchema } from "../openai/embedding-request.ts";
import { unsupportedParameter } from "../openai/errors.ts";
import { DEFAULT_PRIORITY } from "../openai/generation-fields.ts";
import { parseBody } from "../openai/parse-body.ts";
import { ClientClosedError, createClientClosedSignal } from "./client-closed.ts";
import type { ServerDependencies } from "./dependencies.ts";

/** Registers `POST /v1/embeddings`. */
export function registerEmbeddingRoute(
  app: FastifyInstance,
  { model, modelId }: ServerDependencies,
  stopping: AbortSignal,
): void {
  app.post("/v1/embeddings", async (request, reply) => {
    const body = parseBody(embeddingRequestSchema, request.body);
    if (body.dimensions && body.dimensions !== model.embeddingLength) {
      throw unsupportedParameter(
        "dimensions",
        `This model's embeddings always have ${model.embeddingLength} dimensions.`,
      );
    }
    const signal = AbortSignal.any([createClientClosedSignal(reply), stopping]);
    const priority = body.priority ?? DEFAULT_PRIORITY;
    const inputs = typeof body.input === "string" ? [body.input] : body.input;
    try {
      const embeddings = await Promise.all(inputs.map((text) => model.embed(text, signal, priority)));
      return toEmbeddingList(modelId, embeddings, body.encoding_format ?? "float");
    } catch (error) {
      if (!(error instanceof ClientClosedError)) throw error;
      return reply.hijack();
    }
  });
}

function toEmbeddingList(modelId: string, embeddings: readonly Embedding[], format: "float" | "base64") {
  const tokens = embeddings.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  return {
    object: "list",
    data: embeddings.map(({ vector }, index) => ({
      object: "embedding",
      index,
      embedding: format === "base64" ? toBase64Floats(vector) : vector,
    })),
    model: modelId,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

/** 32-bit floats, little-endian, as OpenAI's clients decode them. */
function toBase64Floats(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString("base64");
}
