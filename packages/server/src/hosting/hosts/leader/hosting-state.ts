import { z } from "zod";
import type { PeerCall } from "../../../platform/core/peers/peer-call.ts";
import { mapRuntimes, type RuntimeLimits, type RuntimeName, runtimeNameOf } from "../../runtimes/index.ts";
import type { FitLimits } from "../fit/fit-limits.ts";
import type { ModelHost } from "../host.ts";

const bytes = z.number().int().min(0);
const hostedModel = z.object({
  id: z.string(),
  /** The name of its runtime. The leader may be a later version and have runtimes that the reader does not know. */
  runtime: z.string(),
  fileName: z.string(),
  size: bytes,
  contextLength: z.number().int(),
  bytesPerToken: z.number(),
  bytesPerSequence: z.number().optional(),
  vocabularyBytes: z.number().optional(),
  projectorBytes: z.number().optional(),
  revision: z.string().optional(),
});

/** A model that the leader can load, and its current state. */
const modelState = z.object({
  model: hostedModel,
  isWarm: z.boolean(),
  isLoaded: z.boolean(),
  /** The context in tokens with which its engine runs it, if one does. Memory may hold less than the model's own. */
  loadedContextLength: z.number().int().optional(),
  /** `failure` is why its engine failed, `problem` why it cannot be loaded. Null without one. */
  failure: z.string().nullable(),
  problem: z.string().nullable(),
  /** Null for a model that is ready or cannot be loaded. */
  availability: z
    .object({
      tier: z.enum(["cold", "loading"]),
      stage: z.string().nullable(),
      progress: z.number().nullable(),
      reason: z.string().nullable(),
      /** A duration instead of a date, since the clocks of machines differ. */
      readyInMs: z.number().nullable(),
    })
    .nullable(),
});

const runtime = z.object({
  memory: z.object({ budget: bytes }),
  memoryName: z.string(),
});

const hostingState = z.object({
  models: z.array(modelState),
  isLoadingPinned: z.boolean(),
  /** The limits that decide which models fit on the leader. */
  limits: z.object({
    availableBytes: bytes,
    maxFileBytes: bytes,
    contextTokens: z.number().int(),
    /** By the name of the runtime. The leader may be of another version and have more or fewer of them. */
    runtimes: z.record(z.string(), z.union([runtime, z.object({ unavailable: z.string() })])),
  }),
});

/** The models that the leader hosts, in the form in which other replicas receive them. */
export type HostingState = z.infer<typeof hostingState>;
/** One model of the leader. */
export type HostedModelState = z.infer<typeof modelState>;

/** The call that asks the leader which models it hosts. */
export const READ_HOSTING: PeerCall<object, HostingState> = {
  name: "hosting",
  input: z.object({}),
  output: hostingState,
  timeoutMs: 2_000,
};

type Sources = { host: ModelHost; limits: FitLimits; now(): Date };

/** Returns the models that this process hosts, for other replicas. Paths of this machine are left out. */
export function describeHosting({ host, limits, now }: Sources): HostingState {
  const loadedContexts = new Map(host.listLoaded().map(({ key, contextLength }) => [key, contextLength]));
  return {
    models: host.ids().flatMap((id) => describeModel({ host, now, loadedContexts }, id) ?? []),
    isLoadingPinned: host.isLoadingPinned(),
    limits: {
      ...limits,
      runtimes: mapRuntimes(({ name }) => toRuntimeState(limits.runtimes[name])),
    },
  };
}

type ModelSources = Pick<Sources, "host" | "now"> & { loadedContexts: ReadonlyMap<string, number> };

function describeModel({ host, now, loadedContexts }: ModelSources, id: string): HostedModelState | null {
  const model = host.find(id);
  if (model === null) return null;
  const { fileName, size, contextLength, bytesPerToken, bytesPerSequence, vocabularyBytes, projectorBytes, revision } =
    model;
  const availability = host.availability(id);
  return {
    model: {
      id,
      runtime: runtimeNameOf(model),
      fileName,
      size,
      contextLength,
      bytesPerToken,
      bytesPerSequence,
      vocabularyBytes,
      projectorBytes,
      revision,
    },
    isWarm: host.isWarm(id),
    isLoaded: host.isLoaded(id),
    loadedContextLength: loadedContexts.get(id),
    failure: host.failure(id),
    problem: host.loadingProblem(id),
    availability: availability && {
      tier: availability.tier,
      stage: availability.stage,
      progress: availability.progress,
      reason: availability.reason ?? null,
      readyInMs: availability.readyAt && availability.readyAt.getTime() - now().getTime(),
    },
  };
}

function toRuntimeState(limits: RuntimeLimits[RuntimeName]) {
  if ("unavailable" in limits) return { unavailable: limits.unavailable };
  return { memory: { budget: limits.memory.budget }, memoryName: limits.memoryName };
}

/**
 * Returns the limits of the runtimes that this version knows, of those that the leader has reported. Runtimes that the
 * leader does not know are not available.
 */
export function toRuntimeLimits({ runtimes }: HostingState["limits"]): RuntimeLimits {
  return mapRuntimes(
    ({ name, title }) => runtimes[name] ?? { unavailable: `The leading server runs a version without ${title}.` },
  );
}
