import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../http/actor.ts";
import { signedIn } from "../http/actor.ts";
import type { Handlers } from "../http/bind.ts";
import type { Clock } from "../shared/clock.ts";
import type { Call, CallBody, CallKind } from "./call.ts";
import { type AnswerFormat, completionsFormat } from "./formats/format.ts";
import type { Pipeline } from "./pipeline.ts";
import type { RunningCalls } from "./running-calls.ts";

type Deps = { pipeline: Pipeline; running: RunningCalls; clock: Clock };
type Input = { actor: Actor; request: FastifyRequest; reply: FastifyReply };

/** Calls to models: each is brought to the form that backends take, and its answer to the form of the call. */
export function gatewayRoutes({ pipeline, running, clock }: Deps): Handlers {
  async function call(input: Input, kind: CallKind, body: CallBody, format: AnswerFormat): Promise<FastifyReply> {
    const { request, reply } = input;
    const startedAt = clock.now();
    const abort = running.begin();
    // `close` also comes after a complete answer; aborting is harmless then.
    reply.raw.on("close", () => abort.abort(CALLER_GONE));
    const made: Call = {
      id: request.id,
      kind,
      body,
      format,
      actor: signedIn(input.actor),
      request,
      reply,
      startedAt,
      elapsed: () => clock.now().getTime() - startedAt.getTime(),
      signal: abort.signal,
    };
    try {
      return await pipeline(made);
    } finally {
      running.end(abort);
    }
  }

  const wantsUsage = ({ stream_options }: CallBody) => stream_options?.include_usage === true;

  return {
    "chat.completions.create": (input) =>
      call(
        input,
        "chat",
        input.body,
        completionsFormat(input.request.id, wantsUsage(input.body), "chat.completion.chunk"),
      ),
    "completions.create": (input) =>
      call(
        input,
        "completion",
        input.body,
        completionsFormat(input.request.id, wantsUsage(input.body), "text_completion"),
      ),
    "embeddings.create": (input) =>
      call(input, "embedding", input.body, completionsFormat(input.request.id, false, "")),
  };
}

const CALLER_GONE = new Error("The caller has gone.");
