import type { Observed } from "../../deployments/index.ts";
import type { ClusterContext, ClusterEntry } from "./entries.ts";
import { isWarm, setBackends } from "./pod-backends.ts";

/** Stores what was observed of a model's pods, and adds the ready ones to the registry as backends. */
export function updatePods(context: ClusterContext, id: string, observed: Observed | null): void {
  const entry = context.entries.get(id);
  if (!entry) return;
  const hadPods = isWarm(context, entry.model.id);
  entry.observed = observed;
  setBackends(context, entry, observed);
  if (!hadPods && isWarm(context, entry.model.id)) recordStart(context, entry);
  if (entry.isUnloaded && entry.reloadsAfterUnload && (observed?.replicas.length ?? 0) === 0)
    startAgain(context, entry);
}

/** Updates the pods of a model while another process leads: this process led before, and its calls are still in progress. */
export async function refreshPods(context: ClusterContext, id: string): Promise<void> {
  try {
    updatePods(context, id, await context.provider.observe(id));
  } catch (error) {
    context.log.error({ err: error, model: id }, "the pods of a shared model cannot be seen");
  }
}

function recordStart({ clock, startDurations }: ClusterContext, entry: ClusterEntry): void {
  const now = clock.now();
  if (entry.startedAt) startDurations.set(entry.model.id, now.getTime() - entry.startedAt.getTime());
  entry.startedAt = null;
  entry.usedAt = now;
}

function startAgain({ clock, enqueue }: ClusterContext, entry: ClusterEntry): void {
  const now = clock.now();
  Object.assign(entry, { isUnloaded: false, reloadsAfterUnload: false, usedAt: now, startedAt: now });
  enqueue(entry.id);
}
