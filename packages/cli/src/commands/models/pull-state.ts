import type { Schemas } from "@feather/sdk";
import { bytes } from "../../output/format.ts";
import type { Standing } from "../../wait.ts";

/** A download of a model from the hub. */
export type Pull = Schemas["StorePull"];

/** Fields that `--json` accepts. */
export const PULL_FIELDS = [
  "id",
  "model_id",
  "file",
  "state",
  "bytes_done",
  "bytes_total",
  "error",
  "created_at",
] as const satisfies readonly (keyof Pull)[];

/** Returns the downloaded amount: `1.2 GB of 4.7 GB`. */
export function amountText({ bytes_done: done, bytes_total: total }: Pull): string {
  return total === null ? bytes(done) : `${bytes(done)} of ${bytes(total)}`;
}

const ENDED: Partial<Record<Pull["state"], "succeeded" | "failed">> = {
  done: "succeeded",
  failed: "failed",
  canceled: "failed",
};

/** Returns the progress of a download. */
export function standingOf(pull: Pull): Standing {
  const { state, error, bytes_done: done, bytes_total: total } = pull;
  const ended = ENDED[state];
  return {
    state,
    detail: error ?? amountText(pull),
    ...(total !== null && total > 0 && { share: done / total }),
    ...(ended !== undefined && { ended }),
  };
}
