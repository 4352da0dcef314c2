import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Logger } from "pino";
import { z } from "zod";
import type { SignedInActor } from "../platform/core/auth/actor.ts";
import type { CallHandler } from "../platform/core/http/handlers.ts";
import type { Ids } from "../platform/core/ids.ts";

type Deps = { call: CallHandler<"embeddings.create">; ids: Ids; log: Logger };

/** Texts, the model that makes their vectors, how long the call may wait for units, and the signal that ends it. */
export type TextsToEmbed = { model: string; texts: readonly string[]; queueSeconds: number; signal: AbortSignal };

/** Makes the vectors of texts as a call of a person. Throws what that person would get as an error. */
export type EmbedTexts = (actor: SignedInActor, input: TextsToEmbed) => Promise<number[][]>;

const answerSchema = z.object({ data: z.array(z.object({ embedding: z.array(z.number()) })) });

/**
 * Creates the function by which the server itself calls models for embeddings. It is the same call as one over HTTP: limits, budgets and
 * credits hold, and it gets a usage row with a receipt.
 */
export function createEmbedTexts({ call, ids, log }: Deps): EmbedTexts {
  return async (actor, { model, texts, queueSeconds, signal }) => {
    signal.throwIfAborted();
    const body = { model, input: [...texts] };
    // Nobody is connected: the response only tells the call that it is not needed any more.
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const answers: string[] = [];
    const onAbort = () => {
      response.destroy();
      response.emit("close");
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await call({
        actor,
        body,
        path: undefined,
        exchange: {
          ...{ id: ids.next("req"), headers: { "x-queue-timeout": String(queueSeconds) }, body },
          ...{ bodyBytes: Buffer.byteLength(JSON.stringify(body)), response, responseHeaders: {}, log, span: null },
          receive: (answer) => void answers.push(answer),
        },
      });
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
    signal.throwIfAborted();
    return answerSchema.parse(JSON.parse(answers.join(""))).data.map(({ embedding }) => embedding);
  };
}
