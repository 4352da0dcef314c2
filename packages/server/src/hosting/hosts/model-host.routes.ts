import type { components } from "@feather/openapi/schema";
import type { Audit } from "../../platform/core/audit.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { modelIdOf, organizationIdOf } from "../../platform/core/models/model-keys.ts";
import { type Gpu, type MemoryBudget, RUNTIME_NAMES, type RuntimeName, type Runtimes } from "../runtimes/index.ts";
import type { LoadedModel } from "./host.ts";
import type { Hosting } from "./hosting.ts";

type Deps = {
  db: Database;
  hosting: Hosting;
  audit: Audit;
  listGpus: () => Promise<readonly Gpu[]>;
};

/** Handlers of `admin.modelHost.get`, `admin.models.redeploy` and `admin.models.unload`: the models on this machine. */
export function modelHostRoutes(deps: Deps): Handlers {
  const { audit } = deps;
  const { host, memory, gpuMemory, runtimes } = deps.hosting;
  return {
    "admin.modelHost.get": async () => ({
      memory_bytes: memory.budget,
      free_bytes: memory.free(),
      runtimes: RUNTIME_NAMES.map((name) => toRuntimeDto(name, runtimes[name])),
      gpu: gpuMemory && toMemoryDto(gpuMemory),
      graphics_cards: (await deps.listGpus()).map(({ name, totalBytes, freeBytes }) => ({
        name,
        memory_bytes: totalBytes,
        free_bytes: freeBytes,
      })),
      models: host.listLoaded().map(toLoadedModelDto),
    }),

    "admin.models.redeploy": async ({ actor, path }) => {
      const id = await findHostedModel(deps, path.id);
      await audit.record({ actor, action: "models.redeploy", target: id });
      host.reload(id);
      return { id, status: "pending_deploy" };
    },

    "admin.models.unload": async ({ actor, path }) => {
      const id = await findHostedModel(deps, path.id);
      await audit.record({ actor, action: "models.unload", target: id });
      void host.unload(id);
      return { id, status: "unloading" };
    },
  };
}

/** Returns a program that runs models and the graphics cards that it uses. Without a card, `reason` says why. */
function toRuntimeDto(name: RuntimeName, runtime: Runtimes[RuntimeName]): components["schemas"]["ModelRuntime"] {
  const unused = { name, gpu: null, graphics_cards: [] };
  if ("unavailable" in runtime) return { ...unused, is_available: false, reason: runtime.unavailable };
  const { gpu } = runtime;
  return gpu.state === "off"
    ? { ...unused, is_available: true, reason: gpu.reason }
    : { name, is_available: true, gpu: gpu.type, graphics_cards: [...gpu.devices], reason: null };
}

function toMemoryDto({ budget, free }: MemoryBudget) {
  return { memory_bytes: budget, free_bytes: free() };
}

/**
 * Returns the catalogue's spelling of the id of a model that this machine can run. Throws 404 if the model does not exist,
 * 409 if this machine cannot run it.
 */
async function findHostedModel({ db, hosting }: Deps, requestedId: string): Promise<string> {
  const row = await db
    .selectFrom("models")
    .select("id")
    .where("id_lower", "=", requestedId.toLowerCase())
    .executeTakeFirst();
  if (row === undefined) throw errors.modelNotFound(`There is no model called ${requestedId}.`);
  if (!hosting.host.find(row.id)) throw errors.models.notHosted({ model: row.id });
  return row.id;
}

function toLoadedModelDto({ key, runtime, state, reason, memoryBytes, contextLength, ...model }: LoadedModel) {
  const { inFlight, lastUsedAt } = model;
  return {
    model_id: modelIdOf(key),
    organization_id: organizationIdOf(key),
    runtime,
    state,
    reason,
    memory_bytes: memoryBytes,
    context_length: contextLength,
    request_count: inFlight,
    last_used_at: lastUsedAt.toISOString(),
  };
}
