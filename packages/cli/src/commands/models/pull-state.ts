import type { StorePull } from "@feather/sdk";
import { formatAmount } from "../../views/pull.ts";
import type { WorkStatus } from "../../wait.ts";

/** Fields that `--json` accepts. */
export const PULL_FIELDS = [
  "id",
  "model_id",
  "organization_id",
  "repository",
  "file",
  "state",
  "bytes_done",
  "bytes_total",
  "conversion_progress",
  "error",
  "created_at",
] as const satisfies readonly (keyof StorePull)[];

const OUTCOMES: Partial<Record<StorePull["state"], "succeeded" | "failed">> = {
  done: "succeeded",
  failed: "failed",
  canceled: "failed",
};

/** Returns whether a download in this state goes no further: it is done, has failed, or was canceled. */
export const hasEnded = (state: StorePull["state"]): boolean => OUTCOMES[state] !== undefined;

/** Returns the progress of a download. */
export function toWorkStatus(pull: StorePull): WorkStatus {
  const { state, error, bytes_done: done, bytes_total: total, conversion_progress: converted } = pull;
  const outcome = OUTCOMES[state];
  if (state === "converting") return { state, detail: "to GGUF", ...(converted !== null && { fraction: converted }) };
  return {
    state,
    detail: error ?? formatAmount(pull),
    ...(total !== null && total > 0 && { fraction: done / total }),
    ...(state === "downloading" && { amount: { done, total, unit: "bytes" } }),
    ...(outcome !== undefined && { outcome }),
  };
}
