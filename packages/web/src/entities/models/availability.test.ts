import { expect, test } from "vitest";
import { formatAvailability, isBeingDownloaded } from "./availability.ts";

test.each([
  ["warm", null, null, "warm", false],
  ["cold", null, null, "cold", false],
  ["cold", "memory", null, "cold", false],
  ["offline", null, null, "offline", false],
  ["loading", null, null, "loading", false],
  ["loading", "weights", 0.31, "loading 31 %", false],
  ["loading", "queued", 0, "to be downloaded", true],
  ["loading", "downloading", 0.62, "downloading 62 %", true],
  ["loading", "downloading", null, "to be downloaded", true],
  ["loading", "verifying", 1, "being checked", true],
  ["loading", "converting", 0.4, "converting 40 %", true],
] as const)("a model that is %s, at the stage %s and %s of it, is %s", (tier, stage, progress, text, isDownload) => {
  const availability = { tier, loading_stage: stage, loading_progress: progress };
  expect([formatAvailability(availability), isBeingDownloaded(availability)]).toEqual([text, isDownload]);
});
