import type { FastifyReply } from "fastify";
import type { ChoiceEnd, Delta } from "../generation/run-choice.ts";
import { type ChoicePlan, runChoices } from "../generation/run-choices.ts";
import type { EngineModel, Prompt } from "../model/engine-model.ts";
import { contextLengthExceeded } from "../openai/errors.ts";
import { ClientClosedError, createClientClosedSignal } from "./client-closed.ts";
import { type Log, toApiError } from "./errors.ts";
import { createEventStream } from "./event-stream.ts";

/** All pieces of a choice, and its end. */
export type FinishedChoice = { deltas: readonly Delta[]; end: ChoiceEnd };

/** Builds the chunks of a streamed reply. `start` is sent before a choice's first delta. */
export type ChunkWriter = {
  start?: (index: number) => unknown;
  delta: (index: number, delta: Delta) => unknown[];
  end: (index: number, end: ChoiceEnd) => unknown;
  /** Undefined if usage was not requested. */
  usage: ((completionTokens: number) => unknown) | undefined;
};

/** The reply of a request, and the signal that aborts it when the engine stops. */
export type ReplyContext = { reply: FastifyReply; stopping: AbortSignal; log: Log };

/** Returns how many tokens the reply may have. Throws `context_length_exceeded` if the prompt leaves no room. */
export function getTokenBudget(
  model: EngineModel,
  prompt: Prompt,
  requested: number | undefined,
  param: string,
): number {
  const max = model.contextLength - 1;
  if (prompt.tokenCount > max) throw contextLengthExceeded(max, prompt.tokenCount, param);
  return Math.min(requested ?? Number.POSITIVE_INFINITY, model.contextLength - prompt.tokenCount);
}

/** Generates all choices and returns one body. */
export async function replyWithBody(
  plans: readonly ChoicePlan[],
  toBody: (choices: readonly FinishedChoice[]) => unknown,
  { reply, stopping }: ReplyContext,
): Promise<unknown> {
  const clientClosed = createClientClosedSignal(reply);
  const deltas: Delta[][] = plans.map(() => []);
  const listener = { onDelta: (index: number, delta: Delta) => void deltas[index]?.push(delta), onEnd: () => {} };
  try {
    const ends = await runChoices(plans, listener, AbortSignal.any([clientClosed, stopping]));
    return toBody(ends.map((end, index) => ({ end, deltas: deltas[index] ?? [] })));
  } catch (error) {
    if (!(error instanceof ClientClosedError)) throw error;
    return reply.hijack();
  }
}

/**
 * Generates all choices and streams them. An error before the first event is thrown and sets the status; a later one is
 * sent as an event.
 */
export async function replyWithStream(
  plans: readonly ChoicePlan[],
  writer: ChunkWriter,
  { reply, stopping, log }: ReplyContext,
): Promise<unknown> {
  const signal = AbortSignal.any([createClientClosedSignal(reply), stopping]);
  const stream = createEventStream(reply, signal);
  const startedChoices = new Set<number>();
  const startChoice = async (index: number) => {
    if (startedChoices.has(index) || !writer.start) return;
    startedChoices.add(index);
    await stream.send(writer.start(index));
  };
  const listener = {
    async onDelta(index: number, delta: Delta) {
      await startChoice(index);
      for (const chunk of writer.delta(index, delta)) await stream.send(chunk);
    },
    async onEnd(index: number, end: ChoiceEnd) {
      await startChoice(index);
      await stream.send(writer.end(index, end));
    },
  };
  try {
    const ends = await runChoices(plans, listener, signal);
    const completionTokens = ends.reduce((sum, end) => sum + end.completionTokens, 0);
    if (writer.usage) await stream.send(writer.usage(completionTokens));
    stream.finish();
  } catch (error) {
    const cause = signal.aborted ? signal.reason : error;
    if (cause instanceof ClientClosedError) return reply.hijack();
    if (!stream.started) throw cause;
    stream.fail(toApiError(cause, log));
  }
  return reply;
}
