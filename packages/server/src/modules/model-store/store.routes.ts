import type { components } from "@feather/openapi/schema";
import type { Audit } from "../../core/audit.ts";
import type { Handlers } from "../../core/http/handlers.ts";
import { quantizationOf } from "./quantizations.ts";
import type { PullRow } from "./store.repository.ts";
import type { ModelStore } from "./store.usecases.ts";
import type { StoredModel, StoredModels } from "./stored-models.ts";

type StorePull = components["schemas"]["StorePull"];
type Deps = { modelStore: ModelStore; storedModels: StoredModels; audit: Audit };

/** Handlers of `admin.store.*`: the files of models, and their downloads. */
export function storeRoutes({ modelStore, storedModels, audit }: Deps): Handlers {
  return {
    "admin.store.files": async ({ query }) => {
      const found = await modelStore.listSourceFiles(query.model_id);
      const { modelId, repository, chosen, reason, files, maxBytes = modelStore.maxFileBytes, cachedAt } = found;
      return {
        ...{ model_id: modelId, repository, chosen, reason },
        cached_at: cachedAt?.toISOString() ?? null,
        files: files.map(({ path, size }) => ({
          ...{ file: path, bytes: size, quantization: quantizationOf(path), fits: size <= maxBytes },
        })),
      };
    },

    "admin.store.models.list": async () => ({ items: (await storedModels.list()).map(toStoredModelDto) }),

    "admin.store.models.update": async ({ actor, path, body: { pinned } }) =>
      toStoredModelDto(
        await storedModels.pin(path.id, pinned, ({ model_id: target }, trx) =>
          audit.record({ actor, action: pinned ? "store.pin" : "store.unpin", target }, trx),
        ),
      ),

    "admin.store.models.delete": async ({ actor, path }) => {
      await storedModels.delete(path.id, ({ model_id: target, repository, file }, trx) =>
        audit.record({ actor, action: "store.delete", target, details: { repository, file } }, trx),
      );
      return undefined;
    },

    "admin.store.pulls.list": async () => ({ items: (await modelStore.listPulls()).map(toStorePullDto) }),

    "admin.store.pulls.create": async ({ actor, body }) => {
      const row = await modelStore.pullPublic(body.model_id, body.file, actor.userId, async (pull, trx, outcome) => {
        if (outcome === "joined") return;
        const { id: target, model_id, repository, file, revision } = pull;
        const details = { model_id, repository, file, revision };
        const action = outcome === "started" ? "store.pull" : "store.resume";
        await audit.record({ actor, action, target, details }, trx);
      });
      return toStorePullDto(row);
    },

    "admin.store.pulls.cancel": async ({ actor, path }) => {
      await modelStore.cancel(path.id, ({ id: target }, trx) =>
        audit.record({ actor, action: "store.cancel", target }, trx),
      );
      return undefined;
    },

    "admin.store.pulls.pause": async ({ actor, path }) =>
      toStorePullDto(
        await modelStore.pause(path.id, ({ id: target }, trx) =>
          audit.record({ actor, action: "store.pause", target }, trx),
        ),
      ),

    "admin.store.pulls.resume": async ({ actor, path }) =>
      toStorePullDto(
        await modelStore.resume(path.id, ({ id: target }, trx) =>
          audit.record({ actor, action: "store.resume", target }, trx),
        ),
      ),
  };
}

function toStoredModelDto(model: StoredModel): components["schemas"]["StoredModel"] {
  const { model_id, organization_id, repository, file, size, parameter_size, isLoaded } = model;
  return {
    ...{ model_id, organization_id, repository, file, quantization: quantizationOf(file), bytes: size, parameter_size },
    is_loaded: isLoaded,
    is_pinned: model.pinned,
    created_at: model.created_at.toISOString(),
    last_used_at: model.last_used_at?.toISOString() ?? null,
  };
}

function toStorePullDto(row: PullRow): StorePull {
  const { id, model_id, repository, file, state, bytes_done, bytes_total, error, created_at } = row;
  return {
    id,
    model_id,
    repository,
    file,
    state: state as StorePull["state"],
    bytes_done,
    bytes_total,
    error,
    created_at: created_at.toISOString(),
  };
}
