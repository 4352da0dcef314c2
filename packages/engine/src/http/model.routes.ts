import type { FastifyInstance } from "fastify";
import { tokenizeRequestSchema } from "../openai/embedding-request.ts";
import { ApiError } from "../openai/errors.ts";
import { parseBody } from "../openai/parse-body.ts";
import type { ServerDependencies } from "./dependencies.ts";

/** Registers the routes for health, models and the tokenizer. */
export function registerModelRoutes(app: FastifyInstance, { model, modelId, now }: ServerDependencies): void {
  const description = {
    id: modelId,
    object: "model",
    created: Math.floor(now().getTime() / 1000),
    owned_by: modelId.includes("/") ? modelId.split("/")[0] : "feather-engine",
    context_length: model.contextLength,
    max_model_len: model.contextLength,
  };

  app.get("/health", async () => {
    const { active, waiting } = model.load();
    return {
      status: "ok",
      model: modelId,
      active,
      waiting,
      sequences: model.sequences,
      context_length: model.contextLength,
    };
  });

  app.get("/v1/models", async () => ({ object: "list", data: [description] }));

  app.get<{ Params: { "*": string } }>("/v1/models/*", async (request) => {
    const id = request.params["*"];
    if (id === modelId) return description;
    throw new ApiError(404, "model_not_found", `This engine serves ${modelId}, not ${id}.`, { param: "model" });
  });

  app.post("/v1/tokenize", async (request) => {
    const { text } = parseBody(tokenizeRequestSchema, request.body);
    return { tokens: model.tokenize(text) };
  });
}
