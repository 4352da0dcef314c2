import type { Availability } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { formatPercent, formatRoughDuration } from "#/lib/format.ts";

/** Describes why a model is not ready and when it will be; null if it is warm. What hinders it is a sentence of the server's. */
export function formatWaitText(availability: Availability, now: Date): string | null {
  const state = formatWaitState(availability, now);
  const { loading_reason: reason } = availability;
  return state === null || reason === null ? state : `${state} ${reason}`;
}

/** Describes the state of a model that is not ready and when it will be, without what hinders it; null if it is warm. */
export function formatWaitState(
  { tier, loading_stage, loading_progress, estimated_ready_at }: Availability,
  now: Date,
): string | null {
  if (tier === "warm") return null;
  if (tier === "offline") return t`Nothing that runs this model is reachable just now.`;
  const stage = describeStage(tier, loading_stage);
  const progress = loading_progress === null ? "" : `, ${formatPercent(loading_progress, 0)}`;
  const state = `${stage}${progress}`;
  if (estimated_ready_at === null) return t`The model is ${state}.`;
  const remainingMs = new Date(estimated_ready_at).getTime() - now.getTime();
  return remainingMs <= 0
    ? t`The model is ${state}, ready any moment.`
    : t`The model is ${state}, ready in about ${formatRoughDuration(remainingMs)}.`;
}

function describeStage(tier: Availability["tier"], stage: string | null): string {
  if (stage === "downloading") return t`being downloaded to the server`;
  if (stage === "verifying") return t`downloaded and being checked`;
  if (stage === "converting") return t`downloaded and being converted`;
  if (stage === "pod") return t`being started in the cluster`;
  if (stage === "cluster") return t`waiting for the cluster`;
  if (stage !== null) return t`loading ${stage.replaceAll("_", " ")}`;
  return tier === "cold" ? t`cold: has to be loaded first` : t`loading`;
}
