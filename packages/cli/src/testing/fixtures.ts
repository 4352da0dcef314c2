import { buildApiKey, buildAvailability, buildModel, buildUser } from "@feather/testing/builders";

/** A loading model, which is ready forty seconds after `NOW`. */
export const loadingModel = buildModel({
  id: "Qwen/Qwen3-Coder-30B-A3B-Instruct",
  parameter_size: 30_532_122_624,
  context_length: 262_144,
  availability: buildAvailability({
    tier: "loading",
    loading_progress: 0.62,
    estimated_ready_at: "2026-11-21T12:00:40Z",
  }),
});

/** An API key without limits. */
export const apiKey = buildApiKey();

/** An admin of an organization on a plan called Max. */
export const user = buildUser({ organizationName: "Maria", plan: { name: "Max" } });
