import type { Clock } from "../../core/clock.ts";
import { type AppError, errors } from "../../core/errors/index.ts";
import { MINUTE_MS, SECOND_MS } from "../../core/time.ts";

/** Limits the different models that an organization calls in a rolling minute. Calls to the same model are free. */
export function createModelSwitches(clock: Clock) {
  const recent = new Map<string, Map<string, number>>();

  /** Returns the models that an organization called in the last minute, with the times of the last calls. */
  function listRecent(organizationId: string, now: number): Map<string, number> {
    const models = recent.get(organizationId) ?? new Map<string, number>();
    for (const [id, at] of models) if (now - at >= MINUTE_MS) models.delete(id);
    return models;
  }

  return {
    /** Returns the error that `consume` would throw now, or null. Records nothing. */
    findRefusal(organizationId: string, model: string, limit: number | null): AppError | null {
      const now = clock.now().getTime();
      return limit === null ? null : refusalOf(listRecent(organizationId, now), model, limit, now);
    },

    /** Records a call to a model; throws `model_switch_limit`. Returns the refund for a call that is refused later. */
    consume(organizationId: string, model: string, limit: number | null): () => void {
      if (limit === null) return () => {};
      const now = clock.now().getTime();
      const models = listRecent(organizationId, now);
      const refusal = refusalOf(models, model, limit, now);
      if (refusal !== null) throw refusal;
      recent.set(organizationId, models);
      const previousCall = models.get(model);
      models.set(model, now);
      return () => {
        if (previousCall === undefined) models.delete(model);
        else models.set(model, previousCall);
      };
    },
  };
}

export type ModelSwitches = ReturnType<typeof createModelSwitches>;

function refusalOf(models: ReadonlyMap<string, number>, model: string, limit: number, now: number): AppError | null {
  if (models.has(model) || models.size < limit) return null;
  const oldestCallAt = Math.min(...models.values(), now);
  return tooManySwitches(limit, Math.ceil((MINUTE_MS - (now - oldestCallAt)) / SECOND_MS));
}

function tooManySwitches(limit: number, seconds: number): AppError {
  const message = `The plan allows ${limit} different models a minute (plan limit: ${limit}). Call one of those, or try again in ${seconds} s.`;
  return errors.modelSwitchLimit(message, {
    retryAfterSeconds: Math.min(Math.max(1, seconds), 30),
    details: { limit },
  });
}
