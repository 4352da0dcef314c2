import type { Schemas } from "@feather/sdk";

type Availability = Schemas["Availability"];

/** What a model that is not warm is waited for, in words; null for one that answers now. */
export function waitingText(
  { tier, loading_stage, loading_progress, estimated_ready_at }: Availability,
  now: Date,
): string | null {
  if (tier === "warm") return null;
  if (tier === "offline") return "Nothing that runs this model is reachable just now.";
  const stage = loading_stage
    ? `loading ${loading_stage.replaceAll("_", " ")}`
    : tier === "cold"
      ? "cold: has to be loaded first"
      : "loading";
  const progress = loading_progress === null ? "" : `, ${Math.round(loading_progress * 100)} %`;
  return `The model is ${stage}${progress}${readyIn(estimated_ready_at, now)}.`;
}

function readyIn(at: Date | string | null, now: Date): string {
  if (at === null) return "";
  const seconds = Math.ceil((new Date(at).getTime() - now.getTime()) / 1000);
  if (seconds <= 0) return ", ready any moment";
  return seconds < 90 ? `, ready in about ${seconds} s` : `, ready in about ${Math.round(seconds / 60)} min`;
}
