import type { Audit } from "../../platform/core/audit.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { quantizationOf } from "./files/quantizations.ts";
import type { OpenPulls } from "./open-pulls.ts";
import { streamPulls } from "./pull-events.ts";
import { toStoredModelDto, toStorePullDto } from "./store.dto.ts";
import type { ModelStore } from "./store.usecases.ts";
import type { StoredModels } from "./stored-models.ts";

type Deps = {
  modelStore: ModelStore;
  storedModels: StoredModels;
  openPulls: OpenPulls;
  audit: Audit;
  lifecycle: { readonly draining: boolean };
};

/** Handlers of `admin.store.*`: model files and their downloads. */
export function storeRoutes({ modelStore, storedModels, openPulls, audit, lifecycle }: Deps): Handlers {
  return {
    "admin.store.files": async ({ query }) => {
      const found = await modelStore.listSourceFiles(query.model_id);
      const { modelId, repository, chosen, reason, files, cachedAt } = found;
      const { isConversion = false, maxBytes = modelStore.maxFileBytes } = found;
      return {
        model_id: modelId,
        repository,
        chosen,
        is_conversion: isConversion,
        reason,
        cached_at: cachedAt?.toISOString() ?? null,
        files: files.map(({ path, size }) => ({
          file: path,
          bytes: size,
          quantization: quantizationOf(path),
          fits: size <= maxBytes,
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

    "admin.store.pulls.stream": ({ request, reply }) =>
      streamPulls(reply, {
        openPulls,
        isDraining: () => lifecycle.draining,
        recheck: request.recheck,
      }),

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
