import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bind } from "../../core/bind.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import type { Ids } from "../../core/ids.ts";
import type { BackendRegistry, EnsureModels } from "../../gateway/index.ts";
import type { Hub } from "../hub/index.ts";
import {
  findParsers,
  type HubTokens,
  type ModelStore,
  type PullRunner,
  type StoredModels,
  type StoreFolder,
  type StoreRepository,
} from "../model-store/index.ts";
import type { ModelHost } from "./model-host.ts";
import type { Runtimes } from "./runtimes.ts";
import { createVllmDownloads, type VllmDownloads } from "./vllm-downloads.ts";
import { createVllmModelsRepository, type VllmModelRow, type VllmModelsRepository } from "./vllm-models.repository.ts";
import { addVllmModels, contextLengthOf } from "./vllm-store.ts";

type Deps = {
  db: Database;
  hub: Hub;
  tokens: HubTokens;
  host: ModelHost;
  runtimes: Runtimes;
  registry: Pick<BackendRegistry, "lastAnswerAt">;
  adopt: EnsureModels;
  folder: StoreFolder;
  storeRepository: StoreRepository;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  /** The most tokens of context that models get. */
  contextTokens: number;
  clock: Clock;
  ids: Ids;
};
type Context = Deps & {
  vllmModelsRepository: VllmModelsRepository;
  downloads: VllmDownloads;
  /** Keys of the models, by the id that they were stored for. */
  keys: Map<string, string>;
};

/** Builds the hosting of models that vLLM runs: their files, and what is known of them. */
export function createVllmHosting(deps: Deps) {
  const { db, hub, tokens, storeRepository, dataDir, clock } = deps;
  const vllmModelsRepository = createVllmModelsRepository(db);
  const downloads = createVllmDownloads({
    ...{ db, hub, tokens, storeRepository, vllmModelsRepository, clock },
    root: join(dataDir, "models", "repositories"),
    onStored: (model) => registerModel(context, model),
  });
  const context: Context = { ...deps, vllmModelsRepository, downloads, keys: new Map() };
  return {
    ...bind(context, { start: registerAll, recordUse }),
    /** Returns the use cases of the model store for models that vLLM runs too. */
    addTo: ({ runner, ...store }: { modelStore: ModelStore; storedModels: StoredModels; runner: PullRunner }) =>
      addVllmModels(
        {
          ...{ ...context, runner },
          keyOf: (modelId) => keyOf(context, modelId),
          register: (model) => registerModel(context, model),
        },
        store,
      ),
    /** Downloads the files of a model. */
    work: downloads.work,
  };
}

/** Registers the models whose files are here. */
async function registerAll(context: Context): Promise<void> {
  for (const model of await context.vllmModelsRepository.list())
    await registerModel(context, await updateParsers(context, model));
}

/** Stores the parsers that this version knows for a model, which may be others than when it was downloaded. */
async function updateParsers(context: Context, model: VllmModelRow): Promise<VllmModelRow> {
  const { db, vllmModelsRepository, downloads } = context;
  const config = await readConfig(join(downloads.folderOf(model), "config.json"));
  if (config === null) return model;
  const { toolParser, reasoningParser } = findParsers(model.repository, config);
  if (model.tool_parser === toolParser && model.reasoning_parser === reasoningParser) return model;
  const updated = { ...model, tool_parser: toolParser, reasoning_parser: reasoningParser };
  await vllmModelsRepository.save(updated, db);
  return updated;
}

async function readConfig(file: string): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const config: unknown = JSON.parse(await readFile(file, "utf8"));
    return typeof config === "object" && config !== null ? { ...config } : null;
  } catch {
    return null; // vLLM will say what is wrong with it
  }
}

/** Makes a model callable. It is added to the catalogue if it is not there. */
async function registerModel(context: Context, model: VllmModelRow): Promise<void> {
  const { adopt, host, downloads, contextTokens, keys } = context;
  const {
    model_id: id,
    parameter_size: parameterSize,
    tool_parser: toolParser,
    reasoning_parser: reasoningParser,
  } = model;
  const canonical = await adopt([{ id, contextLength: model.context_length, parameterSize }]);
  const key = canonical.get(id) ?? id;
  keys.set(id, key);
  const file = downloads.folderOf(model);
  if (host.find(key)?.file !== file) await host.unregister(key);
  host.register({
    id: key,
    runtime: "vllm",
    file,
    fileName: model.file,
    size: model.size,
    contextLength: contextLengthOf(model.context_length, contextTokens),
    bytesPerToken: model.bytes_per_token,
    revision: model.revision,
    pinned: model.pinned,
    ...(toolParser !== null && { toolParser }),
    ...(reasoningParser !== null && { reasoningParser }),
  });
}

function keyOf({ keys }: Context, modelId: string): string {
  return keys.get(modelId) ?? modelId;
}

/** Stores when models were last called, so that it is known after a restart. */
async function recordUse(context: Context): Promise<void> {
  const { vllmModelsRepository, registry } = context;
  for (const { model_id, last_used_at } of await vllmModelsRepository.list()) {
    const usedAt = registry.lastAnswerAt(keyOf(context, model_id));
    if (usedAt > (last_used_at?.getTime() ?? 0)) await vllmModelsRepository.recordUse(model_id, new Date(usedAt));
  }
}
