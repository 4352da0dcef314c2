import { existsSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import type { Ids } from "../../core/ids.ts";
import { privateModelKey } from "../../core/model-keys.ts";
import type { Sealer } from "../../core/sealing.ts";
import { BUILT_IN_MODELS } from "../../engine/built-in-models.ts";
import type { StartEngine } from "../../engine/engine-process.ts";
import type { BackendRegistry } from "../../gateway/backends/registry.ts";
import type { Hub } from "../hub/hub.ts";
import { createPullRunner } from "../model-store/pull-runner.ts";
import { createStoreRepository, type StoredFile } from "../model-store/store.repository.ts";
import { createModelStore } from "../model-store/store.usecases.ts";
import { createStoreFolder, type GetFreeBytes } from "../model-store/store-folder.ts";
import { createMemoryBudget } from "./memory-budget.ts";
import type { ModelHostSettings } from "./model-host.settings.ts";
import { createModelHost } from "./model-host.ts";
import type { HostedModel } from "./slot.ts";

type Deps = {
  db: Database;
  settings: ModelHostSettings;
  dataDir: string;
  hub: Hub;
  registry: BackendRegistry;
  /** Adds models to the catalogue that it lacks; returns the canonical id of each. */
  adopt(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  startEngine: StartEngine;
  sealer: Sealer;
  clock: Clock;
  ids: Ids;
  log: Logger;
  freeBytes?: GetFreeBytes;
};

const DEFAULT_MEMORY_SHARE = 0.6;
/** The catalogue's tag for base models, which continue texts instead of chatting. */
const BASE_TAG = "base";
const BYTES_PER_MEGABYTE = 1024 * 1024;
/** Context length of a model whose file does not state one, in tokens. */
const DEFAULT_CONTEXT_LENGTH = 4_096;

/** Builds the hosting of models on this machine: their files, their memory budget, and the engines that run them. */
export function createHosting({ db, settings, dataDir, registry, adopt, startEngine, log, ...deps }: Deps) {
  const { clock, ids, hub, sealer } = deps;
  const megabytes = settings.memoryMegabytes;
  const memory = createMemoryBudget(megabytes === undefined ? defaultMemoryBytes() : megabytes * BYTES_PER_MEGABYTE);
  const idleMs = settings.idleSeconds * 1000;
  const host = createModelHost({ start: startEngine, registry, memory, clock, idleMs, log });
  const folder = createStoreFolder(join(dataDir, "models"), deps.freeBytes);
  const storeRepository = createStoreRepository(db);
  /** Organizations of private models, by the models' keys. */
  const ownersByKey = new Map<string, string>();

  const toHostedModel = (file: StoredFile, id: string): HostedModel => ({
    id,
    file: folder.pathOf(file.sha256),
    size: file.size,
    contextLength: Math.min(file.context_length ?? DEFAULT_CONTEXT_LENGTH, settings.contextTokens),
    bytesPerToken: file.bytes_per_token,
    revision: file.revision,
  });

  async function resolveKey({ model_id, organization_id }: StoredFile): Promise<string> {
    if (organization_id === null) return (await adopt([model_id])).get(model_id) ?? model_id;
    const key = privateModelKey(organization_id, model_id);
    ownersByKey.set(key, organization_id);
    return key;
  }

  /** Tags a model without a curated description as a base model. */
  async function tagAsBaseModel(key: string): Promise<void> {
    await db
      .updateTable("models")
      .set({ tags: sql<string[]>`array_append(tags, ${BASE_TAG})` })
      .where("id", "=", key)
      .where("source", "in", ["backend", "private"])
      .where(sql<boolean>`not tags && ${[BASE_TAG, "chat"]}::text[]`)
      .execute();
  }

  async function registerFile(file: StoredFile): Promise<string | null> {
    if (!(await folder.has(file.sha256, file.size))) return null;
    const id = await resolveKey(file);
    if (host.find(id)?.file !== folder.pathOf(file.sha256)) await host.unregister(id);
    if (file.has_chat_template === false) await tagAsBaseModel(id);
    host.register(toHostedModel(file, id));
    return id;
  }

  /** Registers a new file. A private model is loaded at once. */
  async function onStored(file: StoredFile): Promise<void> {
    const id = await registerFile(file);
    if (id !== null && file.organization_id !== null) await host.wake(id);
  }

  async function unregister(id: string): Promise<void> {
    ownersByKey.delete(id);
    await host.unregister(id);
  }

  /** Unregisters models of deleted organizations, and deletes files that no model uses. */
  async function deleteOrphans(): Promise<void> {
    const files = await storeRepository.listFiles();
    const known = new Set(
      files.flatMap((file) =>
        file.organization_id === null ? [] : privateModelKey(file.organization_id, file.model_id),
      ),
    );
    for (const id of ownersByKey.keys()) if (!known.has(id)) await unregister(id);
    await folder.deleteUnused(new Set(files.map(({ sha256 }) => sha256)), clock.now());
  }

  const runner = createPullRunner({ db, storeRepository, folder, hub, sealer, clock, log, onStored });

  return {
    memory,
    host,
    folder,
    files: storeRepository,
    pullRunner: runner,
    modelStore: createModelStore({ db, storeRepository, folder, hub, runner, sealer, clock, ids }),
    /** Returns a model whose file is on this machine; null if there is none or the organization may not use it. */
    findForOrganization(key: string, organizationId: string): HostedModel | null {
      const owner = ownersByKey.get(key);
      return owner === undefined || owner === organizationId ? host.find(key) : null;
    },
    unregister,
    deleteOrphans,
    /** Deletes a file if no model uses it. */
    async deleteFileIfUnused(sha256: string): Promise<void> {
      if (!(await storeRepository.isFileUsed(sha256))) await folder.remove(sha256);
    },
    jobs: [host.job, runner.job, { name: "delete model files of nobody", everySeconds: 60, run: deleteOrphans }],

    /** Registers the built-in models and those in the store, and continues downloads. */
    async start(): Promise<void> {
      for (const model of listBuiltInModels()) host.register(model);
      for (const file of await storeRepository.listFiles()) await registerFile(file);
      void runner.poll();
    },
    async stop(): Promise<void> {
      await Promise.all([runner.stop(), host.stop()]);
    },
  };
}

export type Hosting = ReturnType<typeof createHosting>;

/** Returns the built-in models. They are small and stay loaded, so that a first call is answered at once. */
function listBuiltInModels(): HostedModel[] {
  return BUILT_IN_MODELS.filter(({ file }) => existsSync(file)).map(({ id, file, contextLength, bytesPerToken }) => ({
    ...{ id, file, contextLength, bytesPerToken },
    size: 0,
    pinned: true,
  }));
}

/** Returns a share of the memory of this machine, or of the container, in bytes. */
function defaultMemoryBytes(): number {
  const limit = process.constrainedMemory();
  return Math.floor(Math.min(totalmem(), limit > 0 ? limit : Number.POSITIVE_INFINITY) * DEFAULT_MEMORY_SHARE);
}
