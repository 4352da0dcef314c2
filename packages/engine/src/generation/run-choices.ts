import { type ChoiceEnd, type ChoiceRequest, type Delta, runChoice } from "./run-choice.ts";

/** One choice to generate. */
export type ChoicePlan = Pick<ChoiceRequest, "prompt" | "options" | "stopTexts" | "keepStopText">;

/** Receives the pieces and the end of each choice by its index. */
export type ChoicesListener = {
  onDelta: (index: number, delta: Delta) => Promise<void> | void;
  onEnd: (index: number, end: ChoiceEnd) => Promise<void> | void;
};

/** Generates all choices of a request concurrently. The first failure aborts the others and is thrown. */
export async function runChoices(
  plans: readonly ChoicePlan[],
  listener: ChoicesListener,
  signal: AbortSignal,
): Promise<ChoiceEnd[]> {
  const failed = new AbortController();
  const runOne = async (plan: ChoicePlan, index: number) => {
    const end = await runChoice({
      ...plan,
      signal: AbortSignal.any([signal, failed.signal]),
      onDelta: (delta) => listener.onDelta(index, delta),
    });
    await listener.onEnd(index, end);
    return end;
  };
  try {
    return await Promise.all(plans.map(runOne));
  } catch (error) {
    failed.abort(error);
    throw error;
  }
}
