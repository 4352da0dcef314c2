import type { components } from "@feather/openapi/schema";
import type { Audit } from "../../core/audit.ts";
import type { Handlers } from "../../core/http/handlers.ts";
import { quantizationOf } from "./quantizations.ts";
import type { PullRow } from "./store.repository.ts";
import type { ModelStore } from "./store.usecases.ts";

type StorePull = components["schemas"]["StorePull"];

/** Handlers of `admin.store.*`: the files of models, and their downloads. */
export function storeRoutes({ modelStore, audit }: { modelStore: ModelStore; audit: Audit }): Handlers {
  return {
    "admin.store.files": async ({ query }) => {
      const { modelId, repository, chosen, reason, files } = await modelStore.listSourceFiles(query.model_id);
      return {
        ...{ model_id: modelId, repository, chosen, reason },
        files: files.map(({ path, size }) => ({
          ...{ file: path, bytes: size, quantization: quantizationOf(path), fits: size <= modelStore.maxFileBytes },
        })),
      };
    },

    "admin.store.pulls.list": async () => ({ items: (await modelStore.listPulls()).map(toStorePullDto) }),

    "admin.store.pulls.create": async ({ actor, body }) => {
      const admin = actor;
      const row = await modelStore.pullPublic(body.model_id, body.file, admin.userId, async (pull, trx, isNew) => {
        if (!isNew) return;
        const { id: target, model_id, repository, file, revision } = pull;
        await audit.record(
          { actor: admin, action: "store.pull", target, details: { model_id, repository, file, revision } },
          trx,
        );
      });
      return toStorePullDto(row);
    },

    "admin.store.pulls.cancel": async ({ actor, path }) => {
      const admin = actor;
      await modelStore.cancel(path.id, (pull, trx) =>
        audit.record({ actor: admin, action: "store.cancel", target: pull.id }, trx),
      );
      return undefined;
    },
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
