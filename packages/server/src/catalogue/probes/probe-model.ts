import type { Backend } from "../../gateway/index.ts";
import type { CallBackend } from "./call-backend.ts";
import { probeContext } from "./probe-context.ts";
import { type AbilityOutcome, probeQuestion } from "./probe-question.ts";
import { QUESTIONS } from "./questions.ts";
import { ABILITIES, type Ability } from "./verdict.ts";

/** What the catalogue says of a model that is asked. The context is in tokens; null if it is unknown. */
export type ProbedModel = { readsImages: boolean; contextLength: number | null };

/** Takes the result of each ability as soon as it is there. */
export type SaveAbility = (ability: Ability, outcome: AbilityOutcome) => Promise<void>;

/** How asking a model at a backend has ended: `completed` for all abilities, otherwise early, for a reason in words. */
export type ProbeEnd = { end: AbilityOutcome["end"]; reason: string | null };

/**
 * Asks a model at a backend for each ability, one call after the other. The speed comes first: a model that refuses such a plain
 * call does not chat, and nothing else is asked. Ends early when a call fails, is stopped or cannot be paid.
 */
export async function probeModel(
  call: CallBackend,
  backend: Backend,
  modelKey: string,
  model: ProbedModel,
  save: SaveAbility,
): Promise<ProbeEnd> {
  for (const ability of ABILITIES) {
    const outcome = await probeAbility(call, ability, backend, modelKey, model);
    if (outcome === null) continue;
    if (ability === "speed" && outcome.verdict?.result === "no") return { end: "failed", reason: outcome.reason };
    if (outcome.verdict !== null) await save(ability, outcome);
    if (outcome.end !== "completed") return { end: outcome.end, reason: outcome.reason };
  }
  return { end: "completed", reason: null };
}

/** Asks for an ability. Returns null for one that the model is not asked for at the backend. */
function probeAbility(
  call: CallBackend,
  ability: Ability,
  backend: Backend,
  modelKey: string,
  model: ProbedModel,
): Promise<AbilityOutcome> | null {
  if (ability === "context") {
    const contextLength = backend.contextLengths?.get(modelKey) ?? model.contextLength;
    return contextLength === null ? null : probeContext(call, contextLength);
  }
  if (ability === "vision" && !mayReadImages(backend, modelKey, model)) return null;
  return probeQuestion(call, QUESTIONS[ability]);
}

/** Returns whether a model reads pictures at a backend, or neither its list nor the catalogue says that it does not. */
function mayReadImages(backend: Backend, modelKey: string, { readsImages }: ProbedModel): boolean {
  if (backend.source === "engine") return readsImages;
  return backend.places?.get(modelKey)?.abilities.images ?? true;
}
