import type { Availability } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { tierLabel } from "#/components/ui/labels/state-badge.tsx";
import { formatPercent } from "#/lib/format.ts";

type Loading = Pick<Availability, "tier" | "loading_stage" | "loading_progress">;
/** What a model waits for while its file is not on the server yet. */
const DOWNLOAD_STAGES: readonly string[] = ["queued", "downloading", "verifying", "converting"];

/** Whether the file of a model is being downloaded, so that it cannot be called before that has ended. */
export const isBeingDownloaded = ({ tier, loading_stage: stage }: Loading): boolean =>
  tier === "loading" && stage !== null && DOWNLOAD_STAGES.includes(stage);

/** Returns in a word or two whether a model answers now: `warm`, `downloading 62 %`. */
export function formatAvailability(availability: Loading): string {
  const { tier, loading_stage: stage, loading_progress: progress } = availability;
  if (tier !== "loading") return tierLabel(tier);
  const percent = progress === null ? null : formatPercent(progress, 0);
  if (!isBeingDownloaded(availability)) return percent === null ? t`loading` : t`loading ${percent}`;
  if (stage === "verifying") return t`being checked`;
  if (stage === "converting") return percent === null ? t`being converted` : t`converting ${percent}`;
  return percent === null || stage === "queued" ? t`to be downloaded` : t`downloading ${percent}`;
}
