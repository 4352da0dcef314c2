import type { Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { percent } from "#/lib/format.ts";

type Availability = Schemas["Availability"];

/** Describes why a model is not ready and when it will be; null if it is warm. */
export function waitingText(
  { tier, loading_stage, loading_progress, estimated_ready_at }: Availability,
  now: Date,
): string | null {
  if (tier === "warm") return null;
  if (tier === "offline") return t`Nothing that runs this model is reachable just now.`;
  const stage = loading_stage
    ? t`loading ${loading_stage.replaceAll("_", " ")}`
    : tier === "cold"
      ? t`cold: has to be loaded first`
      : t`loading`;
  const progress = loading_progress === null ? "" : `, ${percent(loading_progress, 0)}`;
  const how = `${stage}${progress}`;
  if (estimated_ready_at === null) return t`The model is ${how}.`;
  const left = new Date(estimated_ready_at).getTime() - now.getTime();
  return left <= 0
    ? t`The model is ${how}, ready any moment.`
    : t`The model is ${how}, ready in about ${waitWords(left)}.`;
}

/** Formats milliseconds, such as `12 s`, `3 min` or `5 h`. */
export function waitWords(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  if (seconds < 90) return t`${seconds} s`;
  return seconds < 5_400 ? t`${Math.round(seconds / 60)} min` : t`${Math.round(seconds / 3_600)} h`;
}
