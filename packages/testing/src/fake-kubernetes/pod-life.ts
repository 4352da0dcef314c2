import type { PodObject, Store } from "./store.ts";

/** Deletes a pod as the API does: it is marked first, and removed when its node reports that it has ended. */
export function terminate(store: Store, pod: PodObject): void {
  if (pod.metadata.deletionTimestamp) return;
  const deletionTimestamp = new Date().toISOString();
  store.put("pods", { ...pod, metadata: { ...pod.metadata, deletionTimestamp } });
}

/** Whether a pod takes calls. */
export function isReady({ status, metadata }: PodObject): boolean {
  return status?.isReady === true && !metadata.deletionTimestamp;
}
