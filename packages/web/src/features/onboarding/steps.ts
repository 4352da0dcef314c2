import { z } from "zod";
import { storage, type TextStore } from "#/lib/storage.ts";

export const USES = ["program", "assistant", "chat"] as const;
export type Use = (typeof USES)[number];
const STEPS = ["use", "key", "call", "chat"] as const;
export type Step = (typeof STEPS)[number];

const isUse = (text: unknown): text is Use => USES.includes(text as Use);

/** The steps of somebody who came for this. Who only wants to chat needs neither key nor program. */
export const stepsFor = (use: Use | null): readonly Step[] => (use === "chat" ? ["use", "chat"] : STEPS);

/** The step after one; null after the last. */
export function after(step: Step, use: Use | null): Step | null {
  const steps = stepsFor(use);
  return steps[steps.indexOf(step) + 1] ?? null;
}

const shape = z.object({ use: z.enum(USES).nullable(), step: z.enum(STEPS), done: z.boolean() });
/** How far somebody came. */
export type Progress = z.infer<typeof shape>;
const BEGINNING: Progress = { use: null, step: "use", done: false };
const KEY = "onboarding";

/** Keeps how far a person came, so that they go on there another day. */
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

/** The step to show: that of the address where it is one of this use, else the one kept. */
export function stepOf(query: URLSearchParams, { use, step }: Progress): { use: Use | null; step: Step } {
  const asked = query.get("use");
  const chosen = isUse(asked) ? asked : use;
  const steps = stepsFor(chosen);
  const wanted = steps.find((name) => name === query.get("step"));
  const kept = steps.includes(step) ? step : "use";
  const shown = wanted ?? kept;
  return { use: chosen, step: chosen === null ? "use" : shown };
}
