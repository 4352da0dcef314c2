import type { components } from "@feather/openapi/schema";
import type { Audit } from "../../platform/core/audit.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { modelIdOf, organizationIdOf } from "../../platform/core/models/model-keys.ts";
import type { EngineGpu, Gpu, Runtimes, VllmPort } from "../runtimes/index.ts";
import type { LoadedModel } from "./host.ts";
import type { Hosting } from "./hosting.ts";

type Deps = {
  db: Database;
  hosting: Hosting;
  engineGpu: EngineGpu;
  vllm: VllmPort;
  audit: Audit;
  listGpus: () => Promise<readonly Gpu[]>;
};

/** Handlers of `admin.modelHost.get`, `admin.models.redeploy` and `admin.models.unload`: the models on this machine. */
export function modelHostRoutes(deps: Deps): Handlers {
  const { audit } = deps;
  const { host, memory } = deps.hosting;
  return {
    "admin.modelHost.get": async () => ({
      memory_bytes: memory.budget,
      free_bytes: memory.free(),
      runtimes: toRuntimeDtos(deps),
      gpu: toGpuMemoryDto(deps.hosting.runtimes),
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

/** Returns the programs that run models and the graphics cards that they use. Without a card, `reason` says why. */
function toRuntimeDtos({ engineGpu, vllm }: Deps): components["schemas"]["ModelRuntime"][] {
  const isOnGpu = engineGpu.state === "on";
  return [
    {
      name: "llama.cpp",
      is_available: true,
      gpu: isOnGpu ? engineGpu.type : null,
      graphics_cards: isOnGpu ? [...engineGpu.devices] : [],
      reason: isOnGpu ? null : engineGpu.reason,
    },
    "unavailable" in vllm
      ? { name: "vllm", is_available: false, gpu: null, graphics_cards: [], reason: vllm.unavailable }
      : { name: "vllm", is_available: true, gpu: "cuda", graphics_cards: [vllm.gpuName], reason: null },
  ];
}

/** Returns the memory of the graphics card that vLLM uses; null without vLLM. */
function toGpuMemoryDto({ vllm }: Runtimes) {
  return "unavailable" in vllm ? null : { memory_bytes: vllm.memory.budget, free_bytes: vllm.memory.free() };
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
