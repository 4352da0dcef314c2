import type { Concurrency, Deployment, Feather } from "@feather/sdk";
import type { TopSource } from "../../ui/top/source.ts";
import { listAllDeployments } from "../deployments/deployment.ts";

/** Rows of a page, the most that the server gives. */
const PAGE_SIZE = 100;
/** A load that fails is repeated by the next one. */
const ONCE = { maxRetries: 0 } as const;

/** Creates the calls of `feather top`. The model host, backends and downloads are loaded for admins only. */
export function createTopSource(feather: Feather, { isAdmin }: { readonly isAdmin: boolean }): TopSource {
  return {
    streamUsage: (signal) => streamUsage(feather, signal),
    load: {
      models: (signal) => loadModels(feather, signal),
      deployments: (signal) => loadDeployments(feather, signal),
      recent: (signal) => loadRecent(feather, signal),
      ...(isAdmin && {
        modelHost: async (signal) => await feather.admin.modelHost.get({ signal, ...ONCE }),
        backends: async (signal) => (await feather.admin.backends.list({ signal, ...ONCE })).items,
        downloads: async (signal) => (await feather.admin.store.pulls.list({ signal, ...ONCE })).items,
      }),
    },
    stopRequest: async (id) => void (await feather.concurrency.cancel(id)),
    unloadModel: async (id) => void (await feather.admin.models.unload(id)),
    pauseDeployment: async (id) => void (await feather.deployments.pause(id)),
    cancelDownload: async (id) => void (await feather.admin.store.pulls.cancel(id)),
  };
}

async function* streamUsage(feather: Feather, signal: AbortSignal): AsyncGenerator<Concurrency> {
  yield* await feather.concurrency.stream({ signal, ...ONCE });
}

/** Returns the models that are being loaded, and after them those that the catalogue lists first: warm ones, then the newest. */
async function loadModels(feather: Feather, signal: AbortSignal) {
  const [loading, all] = await Promise.all([
    feather.models.list({ availability: "loading", perPage: PAGE_SIZE }, { signal, ...ONCE }),
    feather.models.list({ perPage: PAGE_SIZE }, { signal, ...ONCE }),
  ]);
  const loadingIds = new Set(loading.items.map(({ id }) => id));
  const others = all.items.filter(({ id }) => !loadingIds.has(id));
  return { items: [...loading.items, ...others], total: all.pagination.total_items };
}

function loadDeployments(feather: Feather, signal: AbortSignal): Promise<readonly Deployment[]> {
  return listAllDeployments(feather, signal);
}

async function loadRecent(feather: Feather, signal: AbortSignal) {
  const [{ items: receipts }, units] = await Promise.all([
    feather.usage.activity.requests({ perPage: PAGE_SIZE }, { signal, ...ONCE }),
    feather.usage.concurrencies({ bucket: "minute" }, { signal, ...ONCE }),
  ]);
  return { receipts, refused: units.items.reduce((sum, { rejected }) => sum + rejected, 0) };
}
