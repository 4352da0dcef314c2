import type { PodObject, Store } from "./store.ts";

/** Deletes a pod as the API does: it is marked first, and gone when its node says so. */
export function terminate(store: Store, pod: PodObject): void {
  if (pod.metadata.deletionTimestamp) return;
  const deletionTimestamp = new Date().toISOString();
  store.put("pods", { ...pod, metadata: { ...pod.metadata, deletionTimestamp } });
}

/** Whether a pod takes calls. */
export function isReady({ status, metadata }: PodObject): boolean {
  return status?.isReady === true && !metadata.deletionTimestamp;
}
