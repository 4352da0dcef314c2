import { z } from "zod";
import { type KeyValueStore, storage } from "#/lib/browser/storage.ts";

/** What users can sign up for. */
export const USE_CASES = ["program", "assistant", "chat"] as const;
/** What the user has signed up for. */
export type UseCase = (typeof USE_CASES)[number];
const STEPS = ["use", "key", "call", "chat"] as const;
/** A step of the onboarding. */
export type Step = (typeof STEPS)[number];

const isUseCase = (text: unknown): text is UseCase => USE_CASES.includes(text as UseCase);

/** Returns the steps for a use. Users who only want to chat need no key. */
export const listSteps = (use: UseCase | null): readonly Step[] => (use === "chat" ? ["use", "chat"] : STEPS);

/** Returns the next step; null after the last. */
export function getNextStep(step: Step, use: UseCase | null): Step | null {
  const steps = listSteps(use);
  return steps[steps.indexOf(step) + 1] ?? null;
}

const progressSchema = z.object({ use: z.enum(USE_CASES).nullable(), step: z.enum(STEPS), done: z.boolean() });
/** The user's progress. */
export type Progress = z.infer<typeof progressSchema>;
const INITIAL_PROGRESS: Progress = { use: null, step: "use", done: false };
const STORAGE_KEY = "onboarding";

/** Stores the user's progress in the browser, to continue later. */
export function createProgress(userId: string, store: KeyValueStore = storage) {
  const key = `${STORAGE_KEY}:${userId}`;
  return {
    read(): Progress {
      try {
        return progressSchema.safeParse(JSON.parse(store.get(key) ?? "")).data ?? INITIAL_PROGRESS;
      } catch {
        return INITIAL_PROGRESS;
      }
    },
    write: (progress: Progress): boolean => store.set(key, JSON.stringify(progress)),
  };
}

/** Returns the step in the address where it belongs to the use, else the stored one. */
export function getCurrentStep(query: URLSearchParams, { use, step }: Progress): { use: UseCase | null; step: Step } {
  const requestedUse = query.get("use");
  const selectedUse = isUseCase(requestedUse) ? requestedUse : use;
  const steps = listSteps(selectedUse);
  const requestedStep = steps.find((name) => name === query.get("step"));
  const savedStep = steps.includes(step) ? step : "use";
  const currentStep = requestedStep ?? savedStep;
  return { use: selectedUse, step: selectedUse === null ? "use" : currentStep };
}
