import type { EmbedTexts } from "../../gateway/index.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { AppError } from "../../platform/core/errors/index.ts";
import { toVectors, type Vectors } from "./vectors.ts";

/** `queryTimeoutMs`: how long the vector of a query may take, in milliseconds. */
type Deps = { embedTexts: EmbedTexts; queryTimeoutMs: number };

/** How long a call for vectors waits for units, since a person waits for the search. */
export const QUEUE_SECONDS = 5;

/** Makes the vector of a query. Returns null where the model cannot, and adds the reason to the problems. */
export async function embedQuery(
  { embedTexts, queryTimeoutMs }: Deps,
  actor: SignedInActor,
  model: string,
  { query, signal: gone }: { query: string; signal: AbortSignal },
  problems: string[],
): Promise<Vectors | null> {
  const signal = AbortSignal.any([gone, AbortSignal.timeout(queryTimeoutMs)]);
  try {
    return toVectors(await embedTexts(actor, { model, texts: [query], queueSeconds: QUEUE_SECONDS, signal }));
  } catch (error) {
    if (signal.aborted) problems.push(`Searched by words alone, since ${model} did not answer in time.`);
    else if (isRefusal(error))
      problems.push(`Searched by words alone, since ${model} cannot be used: ${error.message}`);
    else throw error;
    return null;
  }
}

/** Whether a model, or a limit, refused a call, which is no fault of the server. */
export const isRefusal = (error: unknown): error is Error => error instanceof AppError || error instanceof RangeError;
