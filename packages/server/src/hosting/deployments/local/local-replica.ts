import type { EngineProcess, StartEngine } from "../../runtimes/index.ts";
import { estimateEngineBytes, type HostedModel, type MemoryBudget, type Release } from "../../runtimes/index.ts";
import type { EngineSizes } from "../engine-args.ts";
import type { Endpoint, Replica } from "../provider.ts";

const FAILURES_BEFORE_FAILED = 3;
/** The reason of a replica that waits for memory. */
export const WAITING_FOR_MEMORY = "It waits for memory: other models take all there is for them.";
const FILE_MISSING = "The file of the model is not on this machine any more.";

/** A replica that this process runs. */
export type LocalReplica = {
  readonly replica: Replica;
  /** Starts the engine if it is waiting for memory or for its file. */
  retry(): void;
  stop(): Promise<void>;
};

type Deps = {
  start: StartEngine;
  memory: MemoryBudget;
  changed(): void;
  line(replica: string, text: string): void;
};

/** Starts an engine for a deployment. The engine is restarted when it exits. */
export function startReplica(
  { start, memory, changed, line }: Deps,
  {
    name,
    generation,
    findReplicaModel,
    sizes,
  }: { name: string; generation: number; findReplicaModel(): HostedModel | null; sizes: EngineSizes },
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
    const model = findReplicaModel();
    if (!model) {
      setState("failed", FILE_MISSING);
      return;
    }
    const contextLength = sizes.contextLength ?? model.contextLength;
    release = memory.reserve(estimateEngineBytes({ ...model, contextLength }, sizes.sequences));
    if (release === null) {
      setState("starting", WAITING_FOR_MEMORY);
      return;
    }
    const { sequences, threads } = sizes;
    const engineOptions = { id: model.id, file: model.file, contextLength, sequences, threads };
    setState("starting", null);
    engine = start(engineOptions, {
      ready: (socketPath) => {
        failures = 0;
        setState("ready", null, { baseUrl: "http://engine/v1", socketPath, program: "engine" });
      },
      exited: (reason) => {
        failures += 1;
        setState(failures >= FAILURES_BEFORE_FAILED ? "failed" : "starting", reason);
      },
      line: (text) => line(name, text),
    });
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
