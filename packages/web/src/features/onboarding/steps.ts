import { z } from "zod";
import { storage, type TextStore } from "#/lib/storage.ts";

/** What users can sign up for. */
export const USES = ["program", "assistant", "chat"] as const;
/** What the user has signed up for. */
export type Use = (typeof USES)[number];
const STEPS = ["use", "key", "call", "chat"] as const;
/** A step of the onboarding. */
export type Step = (typeof STEPS)[number];

const isUse = (text: unknown): text is Use => USES.includes(text as Use);

/** Returns the steps for a use. Users who only want to chat need no key. */
export const stepsFor = (use: Use | null): readonly Step[] => (use === "chat" ? ["use", "chat"] : STEPS);

/** Returns the next step; null after the last. */
export function after(step: Step, use: Use | null): Step | null {
  const steps = stepsFor(use);
  return steps[steps.indexOf(step) + 1] ?? null;
}

const shape = z.object({ use: z.enum(USES).nullable(), step: z.enum(STEPS), done: z.boolean() });
/** The user's progress. */
export type Progress = z.infer<typeof shape>;
const BEGINNING: Progress = { use: null, step: "use", done: false };
const KEY = "onboarding";

/** Stores the user's progress in the browser, to continue later. */
export function createProgress(userId: string, store: TextStore = storage) {
  const key = `${KEY}:${userId}`;
  return {
    read(): Progress {
      try {
        return shape.safeParse(JSON.parse(store.get(key) ?? "")).data ?? BEGINNING;
      } catch {
        return BEGINNING;
      }
    },
    write: (progress: Progress): boolean => store.set(key, JSON.stringify(progress)),
  };
}

/** Returns the step in the address where it belongs to the use, else the stored one. */
export function stepOf(query: URLSearchParams, { use, step }: Progress): { use: Use | null; step: Step } {
  const asked = query.get("use");
  const chosen = isUse(asked) ? asked : use;
  const steps = stepsFor(chosen);
  const wanted = steps.find((name) => name === query.get("step"));
  const kept = steps.includes(step) ? step : "use";
  const shown = wanted ?? kept;
  return { use: chosen, step: chosen === null ? "use" : shown };
}
