import { expect, test } from "vitest";
import { formatWaitText } from "./wait-text.ts";

const now = new Date("2026-11-21T09:00:00Z");
const state = (tier: "warm" | "loading" | "cold" | "offline", over = {}) => ({
  tier,
  is_hot_live: false,
  is_hot_recent: false,
  loading_stage: null,
  loading_reason: null,
  loading_progress: null,
  estimated_ready_at: null,
  checked_at: now,
  ...over,
});
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);

test.each([
  [state("warm"), null],
  [state("cold"), "The model is cold: has to be loaded first."],
  [state("loading"), "The model is loading."],
  [
    state("loading", { loading_stage: "gpu_weights", loading_progress: 0.62, estimated_ready_at: at(20) }),
    "The model is loading gpu weights, 62 %, ready in about 20 s.",
  ],
  [
    state("loading", { loading_stage: "downloading", loading_progress: 0.5 }),
    "The model is being downloaded to the server, 50 %.",
  ],
  [state("loading", { loading_stage: "verifying" }), "The model is downloaded and being checked."],
  [
    state("loading", { loading_stage: "pod", estimated_ready_at: at(60) }),
    "The model is being started in the cluster, ready in about 60 s.",
  ],
  [state("loading", { loading_stage: "cluster" }), "The model is waiting for the cluster."],
  [
    state("loading", { loading_stage: "cluster", loading_reason: "No node has room for it." }),
    "The model is waiting for the cluster. No node has room for it.",
  ],
  [
    state("offline", { loading_reason: "The image a:1 cannot be pulled." }),
    "Nothing that runs this model is reachable just now. The image a:1 cannot be pulled.",
  ],
  [state("loading", { estimated_ready_at: at(200) }), "The model is loading, ready in about 3 min."],
  [state("loading", { estimated_ready_at: at(-1) }), "The model is loading, ready any moment."],
  [state("offline"), "Nothing that runs this model is reachable just now."],
])("describes the wait for %o", (availability, expected) => {
  expect(formatWaitText(availability as unknown as Parameters<typeof formatWaitText>[0], now)).toBe(expected);
});
