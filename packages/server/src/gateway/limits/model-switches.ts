import type { Clock } from "../../core/clock.ts";
import { type AppError, errors } from "../../core/errors/index.ts";
import { MINUTE_MS } from "../../core/time.ts";

/** Limits the different models that an organization calls in a rolling minute. Calls to the same model are free. */
export function createModelSwitches(clock: Clock) {
  const recent = new Map<string, Map<string, number>>();
  return {
    /** Records a call to a model; throws `model_switch_limit`. Returns the refund for a call that is refused later. */
    consume(organizationId: string, model: string, limit: number | null): () => void {
      if (limit === null) return () => {};
      const now = clock.now().getTime();
      const models = recent.get(organizationId) ?? new Map<string, number>();
      recent.set(organizationId, models);
      for (const [id, at] of models) if (now - at >= MINUTE_MS) models.delete(id);
      if (!models.has(model) && models.size >= limit)
        throw tooManySwitches(limit, Math.ceil((MINUTE_MS - (now - Math.min(...models.values()))) / 1000));
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

function tooManySwitches(limit: number, seconds: number): AppError {
  const message = `The plan allows ${limit} different models a minute (plan limit: ${limit}). Call one of those, or try again in ${seconds} s.`;
  return errors.modelSwitchLimit(message, {
    retryAfterSeconds: Math.min(Math.max(1, seconds), 30),
    details: { limit },
  });
}
