import { existsSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { Settings } from "../../config/settings.ts";
import type { Database } from "../../db/connect.ts";
import { BUILT_IN_MODELS } from "../../engine/built-in-models.ts";
import type { StartEngine } from "../../engine/engine-process.ts";
import type { BackendRegistry } from "../../gateway/backends/registry.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Ids } from "../../shared/ids.ts";
import { privateModelKey } from "../../shared/model-keys.ts";
import type { Sealer } from "../../shared/sealing.ts";
import type { Hub } from "../hub/hub.ts";
import { createPullRunner } from "../model-store/pull-runner.ts";
import { createStoreRepository, type StoredFile } from "../model-store/store.repository.ts";
import { createModelStore } from "../model-store/store.ts";
import { createStoreFolder, type FreeBytes } from "../model-store/store-folder.ts";
import { createMemory } from "./memory.ts";
import { createModelHost } from "./model-host.ts";
import type { HostedModel } from "./slot.ts";

type Deps = {
  db: Database;
  settings: Pick<Settings, "FEATHER_MODEL_MEMORY" | "FEATHER_MODEL_CONTEXT" | "FEATHER_MODEL_IDLE">;
  dataDir: string;
  hub: Hub;
  registry: BackendRegistry;
  /** Puts models into the catalogue that it lacks; answers the canonical id of each. */
  adopt(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  startEngine: StartEngine;
  sealer: Sealer;
  clock: Clock;
  ids: Ids;
  log: Logger;
  freeBytes?: FreeBytes;
};

const SHARE_OF_MEMORY = 0.6;
/** Says in the catalogue that a model continues texts. */
const BASE_TAG = "base";
const MEGABYTE = 1024 * 1024;
/** What a model is given whose file does not say how much it takes. */
const USUAL_CONTEXT = 4_096;

/** Model files, the memory they may take, and the engines that run them. */
export function createHosting({ db, settings, dataDir, registry, adopt, startEngine, log, ...deps }: Deps) {
  const { clock, ids, hub, sealer } = deps;
  const megabytes = settings.FEATHER_MODEL_MEMORY;
  const memory = createMemory(megabytes === undefined ? usualMemory() : megabytes * MEGABYTE);
  const idleMs = settings.FEATHER_MODEL_IDLE * 1000;
  const host = createModelHost({ start: startEngine, registry, memory, clock, idleMs, log });
  const folder = createStoreFolder(join(dataDir, "models"), deps.freeBytes);
  const store = createStoreRepository(db);
  /** Whose private models are, by key. */
  const owners = new Map<string, string>();

  const hosted = (file: StoredFile, id: string): HostedModel => ({
    id,
    file: folder.pathOf(file.sha256),
    size: file.size,
    contextLength: Math.min(file.context_length ?? USUAL_CONTEXT, settings.FEATHER_MODEL_CONTEXT),
    bytesPerToken: file.bytes_per_token,
    revision: file.revision,
  });

  async function keyOf({ model_id, organization_id }: StoredFile): Promise<string> {
    if (organization_id === null) return (await adopt([model_id])).get(model_id) ?? model_id;
    const key = privateModelKey(organization_id, model_id);
    owners.set(key, organization_id);
    return key;
  }

  /** Tags a model that nobody described as one that continues texts and was not made to converse. */
  async function markAsBase(key: string): Promise<void> {
    await db
      .updateTable("models")
      .set({ tags: sql<string[]>`array_append(tags, ${BASE_TAG})` })
      .where("id", "=", key)
      .where("source", "in", ["backend", "private"])
      .where(sql<boolean>`not tags && ${[BASE_TAG, "chat"]}::text[]`)
      .execute();
  }

  async function offer(file: StoredFile): Promise<string | null> {
    if (!(await folder.holds(file.sha256, file.size))) return null;
    const id = await keyOf(file);
    if (host.find(id)?.file !== folder.pathOf(file.sha256)) await host.withdraw(id);
    if (file.has_chat_template === false) await markAsBase(id);
    host.offer(hosted(file, id));
    return id;
  }

  /** What somebody fetched for themselves is loaded at once. */
  async function stored(file: StoredFile): Promise<void> {
    const id = await offer(file);
    if (id !== null && file.organization_id !== null) await host.wake(id);
  }

  async function withdraw(id: string): Promise<void> {
    owners.delete(id);
    await host.withdraw(id);
  }

  /** Lets go of models of organizations that are gone, and deletes files of nobody. */
  async function sweep(): Promise<void> {
    const files = await store.files();
    const known = new Set(
      files.flatMap((file) =>
        file.organization_id === null ? [] : privateModelKey(file.organization_id, file.model_id),
      ),
    );
    for (const id of owners.keys()) if (!known.has(id)) await withdraw(id);
    await folder.sweep(new Set(files.map(({ sha256 }) => sha256)), clock.now());
  }

  const runner = createPullRunner({ db, store, folder, hub, sealer, clock, log, stored });

  return {
    memory,
    host,
    folder,
    files: store,
    pulls: runner,
    modelStore: createModelStore({ db, store, folder, hub, runner, sealer, clock, ids }),
    /** A model whose file is here, if the organization may use it. */
    findFor(key: string, organizationId: string): HostedModel | null {
      const owner = owners.get(key);
      return owner === undefined || owner === organizationId ? host.find(key) : null;
    },
    withdraw,
    sweep,
    /** Deletes a file that no model has any more. */
    async removeUnused(sha256: string): Promise<void> {
      if (!(await store.isUsed(sha256))) await folder.remove(sha256);
    },
    jobs: [host.job, runner.job, { name: "delete model files of nobody", everySeconds: 60, run: sweep }],

    /** Loads the models that come with the platform, offers those in the store, and goes on with downloads. */
    async start(): Promise<void> {
      for (const model of builtIn()) host.offer(model);
      for (const file of await store.files()) await offer(file);
      void runner.look();
    },
    async stop(): Promise<void> {
      await Promise.all([runner.stop(), host.stop()]);
    },
  };
}

export type Hosting = ReturnType<typeof createHosting>;

/** They are small, and stay loaded: what a newcomer calls first answers at once. */
function builtIn(): HostedModel[] {
  return BUILT_IN_MODELS.filter(({ file }) => existsSync(file)).map(({ id, file, contextLength, bytesPerToken }) => ({
    ...{ id, file, contextLength, bytesPerToken },
    size: 0,
    pinned: true,
  }));
}

/** A part of what this machine, or the container around this process, has. */
function usualMemory(): number {
  const limit = process.constrainedMemory();
  return Math.floor(Math.min(totalmem(), limit > 0 ? limit : Number.POSITIVE_INFINITY) * SHARE_OF_MEMORY);
}
