import type { components } from "@feather/openapi/schema";
import { quantizationOf } from "./files/quantizations.ts";
import type { PullRow } from "./rows/pull-rows.ts";
import type { StoredModel } from "./stored-models.ts";

type StorePull = components["schemas"]["StorePull"];

/** Maps a downloaded model to the contract. */
export function toStoredModelDto(model: StoredModel): components["schemas"]["StoredModel"] {
  const { model_id, organization_id, repository, file, size, projector_bytes, parameter_size, isLoaded } = model;
  return {
    model_id,
    organization_id,
    repository,
    file,
    quantization: quantizationOf(file),
    bytes: size + projector_bytes,
    parameter_size,
    is_loaded: isLoaded,
    is_pinned: model.pinned,
    created_at: model.created_at.toISOString(),
    last_used_at: model.last_used_at?.toISOString() ?? null,
  };
}

/** Maps a download to the contract. */
export function toStorePullDto(row: PullRow): StorePull {
  const { id, model_id, organization_id, repository, file, state, bytes_done, bytes_total, error } = row;
  const { created_at, conversion_progress } = row;
  return {
    id,
    model_id,
    organization_id,
    repository,
    file,
    state: state as StorePull["state"],
    bytes_done,
    bytes_total,
    conversion_progress,
    error,
    created_at: created_at.toISOString(),
  };
}
