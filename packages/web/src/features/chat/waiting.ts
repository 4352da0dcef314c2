import type { Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";

type Availability = Schemas["Availability"];

/** What a model that is not warm is waited for, in words; null for one that answers now. */
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
      : "loading";
  const progress = loading_progress === null ? "" : `, ${Math.round(loading_progress * 100)} %`;
  return t`The model is ${stage}${progress}${readyIn(estimated_ready_at, now)}.`;
}

function readyIn(at: Date | string | null, now: Date): string {
  if (at === null) return "";
  const left = new Date(at).getTime() - now.getTime();
  return left <= 0 ? ", ready any moment" : `, ready in about ${waitWords(left)}`;
}

/** 12 s, 3 min, 5 h. */
export function waitWords(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5_400 ? t`${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
