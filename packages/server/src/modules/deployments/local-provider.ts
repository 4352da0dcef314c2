import { availableParallelism } from "node:os";
import type { StartEngine } from "../../engine/engine-process.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, invalidRequest } from "../../shared/errors.ts";
import { modelIdOf } from "../../shared/model-keys.ts";
import type { Memory } from "../model-host/memory.ts";
import { engineBytes } from "../model-host/memory.ts";
import type { HostedModel } from "../model-host/slot.ts";
import { type LocalReplica, NO_MEMORY, type Sizes, startReplica } from "./local-replicas.ts";
import { createLogBook } from "./log-book.ts";
import type { DeploymentProvider, DeploymentSpec, Wanted } from "./provider.ts";

/** Returns a model whose file is on this machine; null if there is none or the organization may not use it. */
type FindModel = (modelKey: string, organizationId: string) => HostedModel | null;

type Deps = { start: StartEngine; memory: Memory; findModel: FindModel; clock: Clock };
type Local = { wanted: Wanted | null; replicas: Set<LocalReplica> };

const REGION = "here";
const INSTANCE = "cpu";
const MOST_PER_CORE = 4;
/** Accepted for every file: the newest revision when it was downloaded. */
const MAIN = "main";

/**
 * Runs deployments as engines on this machine. They end with the process; after a restart the reconciler starts them
 * again.
 */
export function createLocalProvider({ start, memory, findModel, clock }: Deps): DeploymentProvider {
  const all = new Map<string, Local>();
  const logs = createLogBook(clock);
  const listeners = new Set<(id: string) => void>();
  let stopped = false;
  const changed = (id: string) => {
    for (const listener of listeners) listener(id);
  };

  /** Starts and stops replicas towards the target; called again after every change. */
  function converge(id: string): void {
    const local = all.get(id);
    if (!local) return;
    const { wanted, replicas } = local;
    const running = [...replicas].filter(({ replica }) => replica.state !== "stopping");
    const count = wanted?.replicas ?? 0;
    const current = running.filter(({ replica }) => replica.generation === wanted?.generation);
    const before = running.filter(({ replica }) => replica.generation !== wanted?.generation);
    for (const surplus of current.slice(count)) void stop(id, surplus);
    // A new replica must be ready before an old one stops; they are replaced one at a time.
    const ready = current.slice(0, count).filter(({ replica }) => replica.state === "ready").length;
    const isReady = ({ replica }: LocalReplica) => Number(replica.state === "ready");
    // If memory is too small for both, the old one stops first.
    const squeezed = current.filter(({ replica }) => replica.reason === NO_MEMORY).length;
    const staying = Math.max(0, count - ready - squeezed);
    const leaving = before.sort((a, b) => isReady(b) - isReady(a)).slice(staying);
    for (const old of leaving) void stop(id, old);
    const begun = before.length > 0 ? Math.min(count, ready + 1) : count;
    for (let missing = begun - current.length; missing > 0; missing--) begin(id, local);
  }

  function begin(id: string, local: Local): void {
    const { wanted, replicas } = local;
    if (!wanted) return;
    const taken = new Set([...replicas].map(({ replica }) => replica.name));
    let index = 0;
    while (taken.has(String(index))) index += 1;
    const name = String(index);
    const events = {
      changed: () => {
        queueMicrotask(() => converge(id));
        changed(id);
      },
      line: (replica: string, text: string) => logs.add(id, replica, text),
    };
    const { generation, spec } = wanted;
    const find = () => findModel(spec.modelKey, spec.organizationId);
    logs.add(id, name, "starting");
    replicas.add(startReplica({ start, memory, ...events }, { name, generation, find, sizes: sizesOf(spec) }));
  }

  async function stop(id: string, replica: LocalReplica): Promise<void> {
    const stopped = replica.stop();
    changed(id);
    await stopped;
    const local = all.get(id);
    local?.replicas.delete(replica);
    if (local?.wanted === null && local.replicas.size === 0) forget(id);
    changed(id);
  }

  function forget(id: string): void {
    all.delete(id);
    logs.forget(id);
  }

  function retry(): void {
    for (const { replicas } of all.values()) for (const replica of replicas) replica.retry();
  }
  const stopListening = memory.onFree(retry);

  return {
    describe: () => ({
      id: "local",
      name: "This machine",
      regions: [{ id: REGION, name: "Here" }],
      instance_types: [{ id: INSTANCE, gpu: null, gpu_count: 0, vram_gb: 0, hourly_nano_usd: "0" }],
      available: true,
      reason: null,
    }),

    check(spec, { maxReplicas }) {
      const most = availableParallelism() * MOST_PER_CORE;
      if (maxReplicas > most)
        throw invalidRequest(`max_replicas is not valid: this machine runs up to ${most} of a deployment.`, {
          param: "max_replicas",
          details: { max: most },
        });
      const sizes = sizesOf(spec);
      const model = findModel(spec.modelKey, spec.organizationId);
      if (!model) throw noFile(modelIdOf(spec.modelKey));
      const { revision } = spec;
      if (revision !== null && revision !== MAIN && revision !== model.revision) throw otherRevision(revision, model);
      const needed = engineBytes(
        { ...model, contextLength: sizes.contextLength ?? model.contextLength },
        sizes.sequences,
      );
      if (needed > memory.budget) throw tooLarge(modelIdOf(spec.modelKey), needed, memory.budget);
    },

    async apply(wanted) {
      if (stopped) return; // the caller may not know yet that the server is stopping
      const local = all.get(wanted.id) ?? { wanted, replicas: new Set() };
      local.wanted = wanted;
      all.set(wanted.id, local);
      converge(wanted.id);
    },

    async remove(id) {
      const local = all.get(id);
      if (!local) return;
      local.wanted = null;
      if (local.replicas.size === 0) forget(id);
      else converge(id);
    },

    async observe(id) {
      const local = all.get(id);
      if (!local) return null;
      const replicas = [...local.replicas].map(({ replica }) => replica);
      return { generation: local.wanted?.generation ?? 0, wanted: local.wanted?.replicas ?? 0, replicas };
    },

    list: async () => [...all.keys()],
    logs: async (id, tail) => logs.last(id, tail),
    follow: logs.follow,
    onChange: (listener) => void listeners.add(listener),
    tick: async () => retry(),

    async stop() {
      stopped = true;
      stopListening();
      listeners.clear();
      const replicas = [...all.values()].flatMap((local) => [...local.replicas]);
      for (const local of all.values()) local.wanted = null;
      await Promise.all(replicas.map((replica) => replica.stop()));
      all.clear();
    },
  };
}

const LIMITS = { context: [256, 1_048_576], sequences: [1, 64], threads: [1, 256] } as const;

function sizesOf({ engineArgs }: DeploymentSpec): Sizes {
  const sizes: Record<string, number> = {};
  for (const [name, value] of Object.entries(engineArgs)) {
    if (!(name in LIMITS))
      throw invalidRequest(
        `engine_args is not valid: ${name} is not known here. Known: ${Object.keys(LIMITS).join(", ")}.`,
        {
          param: "engine_args",
        },
      );
    const [least, most] = LIMITS[name as keyof typeof LIMITS];
    if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most)
      throw invalidRequest(`engine_args is not valid: ${name} is a whole number from ${least} to ${most}.`, {
        param: "engine_args",
      });
    sizes[name] = value;
  }
  const { context, sequences, threads } = sizes;
  return {
    ...(context !== undefined && { contextLength: context }),
    ...(sequences !== undefined && { sequences }),
    ...(threads !== undefined && { threads }),
  };
}

function noFile(modelId: string): AppError {
  return new AppError(
    409,
    "deployments.model_not_here",
    `This machine has no file of ${modelId}. An admin can fetch one: feather models pull <repository with GGUF files>.`,
    { param: "model_id" },
  );
}

function otherRevision(revision: string, { id, revision: here }: HostedModel): AppError {
  return new AppError(
    409,
    "deployments.revision_not_here",
    `This machine has ${modelIdOf(id)} at ${here ?? "no named revision"}, not at ${revision}. Leave revision out to run what is here.`,
    { param: "revision" },
  );
}

function tooLarge(modelId: string, needed: number, budget: number): AppError {
  const inGb = (bytes: number) => (bytes / 1e9).toFixed(1);
  return new AppError(
    409,
    "deployments.too_large",
    `${modelId} takes ${inGb(needed)} GB of memory here; models may take ${inGb(budget)} GB. Ask for less context or fewer sequences, or raise FEATHER_MODEL_MEMORY.`,
    { param: "model_id", details: { needed, budget } },
  );
}
