import { messageOf } from "../../../platform/core/errors/message-of.ts";
import {
  type EngineEvents,
  type EngineProcess,
  estimateEngineBytes,
  type HostedModel,
  programOf,
  type Release,
  type Runtime,
} from "../../runtimes/index.ts";
import type { EngineSizes } from "../engine-args.ts";
import type { Endpoint, Replica } from "../provider.ts";

const FAILURES_BEFORE_FAILED = 3;
/** The reason of a replica that waits for memory. */
export const WAITING_FOR_MEMORY = "It waits for memory: other models take all there is for them.";
const FILE_MISSING = "The file of the model is not on this machine any more.";

/** A replica that this process runs. */
export type LocalReplica = {
  readonly replica: Replica;
  /** Starts the engine if it is waiting for memory or for its file, or could not be started before. */
  retry(): void;
  stop(): Promise<void>;
};

type Events = {
  changed(): void;
  line(replica: string, text: string): void;
};
/** A model, and what runs it. */
type ReplicaModel = { model: HostedModel; runtime: Pick<Runtime, "start" | "memory"> };

/** Starts an engine for a deployment. The engine is restarted when it exits. */
export function startReplica(
  { changed, line }: Events,
  {
    name,
    generation,
    findReplicaModel,
    sizes,
  }: { name: string; generation: number; findReplicaModel(): ReplicaModel | null; sizes: EngineSizes },
): LocalReplica {
  let replica: Replica = { name, generation, state: "starting", reason: null, endpoint: null };
  let engine: EngineProcess | null = null;
  let release: Release | null = null;
  let failures = 0;

  function setState(state: Replica["state"], reason: string | null, endpoint: Endpoint | null = null): void {
    if (replica.state === "stopping" || (replica.state === state && replica.reason === reason)) return;
    replica = { ...replica, state, reason, endpoint };
    changed();
  }

  function tryStart(): void {
    const found = findReplicaModel();
    if (!found) {
      setState("failed", FILE_MISSING);
      return;
    }
    const { model, runtime } = found;
    const contextLength = sizes.contextLength ?? model.contextLength;
    // After a failed start, its memory is still reserved: releasing it would make all replicas try again at once.
    release ??= runtime.memory.reserve(estimateEngineBytes({ ...model, contextLength }, sizes.sequences));
    if (release === null) {
      setState("starting", WAITING_FOR_MEMORY);
      return;
    }
    const { sequences, threads } = sizes;
    const { id, file, projector, isReranker } = model;
    const engineOptions = { id, file, projector, isReranker, contextLength, sequences, threads };
    setState("starting", null);
    try {
      engine = runtime.start(engineOptions, createEvents(model));
    } catch (error) {
      setState("failed", messageOf(error)); // for example, the disk has no space for the folder of its socket
    }
  }

  function createEvents(model: HostedModel): EngineEvents {
    return {
      ready: (socketPath, apiKey) => {
        failures = 0;
        const address = { baseUrl: "http://engine/v1", socketPath, ...(apiKey !== undefined && { apiKey }) };
        setState("ready", null, { ...address, program: programOf(model) });
      },
      exited: (reason) => {
        failures += 1;
        setState(failures >= FAILURES_BEFORE_FAILED ? "failed" : "starting", reason);
      },
      line: (text) => line(name, text),
    };
  }

  tryStart();
  return {
    get replica() {
      return replica;
    },
    retry() {
      if (engine === null && replica.state !== "stopping") tryStart();
    },
    async stop() {
      setState("stopping", null);
      await engine?.stop();
      release?.();
    },
  };
}
