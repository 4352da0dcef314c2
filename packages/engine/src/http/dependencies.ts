import type { EngineModel } from "../model/engine-model.ts";
import type { CreateId } from "../openai/chat-response.ts";
import type { CreateRandomSeed } from "../openai/generation-fields.ts";
import type { Log } from "./errors.ts";

/** What the HTTP server needs. */
export type ServerDependencies = {
  model: EngineModel;
  /** The id under which callers know the model, such as `owner/name`. */
  modelId: string;
  now: () => Date;
  newId: CreateId;
  randomSeed: CreateRandomSeed;
  log: Log;
  /** The token that requests below /v1 need; undefined if they need none. */
  apiKey: string | undefined;
};
