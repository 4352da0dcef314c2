import { useSyncExternalStore } from "react";
import type { ToolRounds } from "./tool-rounds.ts";

const subscribeToNothing = (): (() => void) => () => {};

/** Returns whether the calls of an answer are being made. */
export function useIsRunning(
  rounds: Pick<ToolRounds, "subscribe" | "isRunning"> | null,
  answer: string | null,
): boolean {
  return useSyncExternalStore(
    rounds?.subscribe ?? subscribeToNothing,
    () => answer !== null && (rounds?.isRunning(answer) ?? false),
    () => false,
  );
}
