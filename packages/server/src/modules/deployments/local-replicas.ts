import type { EngineProcess, StartEngine } from "../../engine/engine-process.ts";
import { engineBytes, type Memory, type Release } from "../model-host/memory.ts";
import type { HostedModel } from "../model-host/slot.ts";
import type { Endpoint, Replica } from "./provider.ts";

const FAILURES_TO_SAY_SO = 3;
/** The reason of a replica that waits for memory. */
export const NO_MEMORY = "It waits for memory: other models take all there is for them.";
const NO_FILE = "The file of the model is not on this machine any more.";

/** A replica that this process runs. */
export type LocalReplica = {
  readonly replica: Replica;
  /** Starts the engine if it had to wait for memory or its file. */
  retry(): void;
  stop(): Promise<void>;
};

type Deps = {
  start: StartEngine;
  memory: Memory;
  changed(): void;
  line(replica: string, text: string): void;
};

/** Options of an engine, in tokens, parallel sequences and threads; the engine has defaults. */
export type Sizes = { contextLength?: number; sequences?: number; threads?: number };

/** Starts an engine for a deployment. It is restarted when it exits. */
export function startReplica(
  { start, memory, changed, line }: Deps,
  { name, generation, find, sizes }: { name: string; generation: number; find(): HostedModel | null; sizes: Sizes },
): LocalReplica {
  let replica: Replica = { name, generation, state: "starting", reason: null, endpoint: null };
  let engine: EngineProcess | null = null;
  let release: Release | null = null;
  let failures = 0;

  function become(state: Replica["state"], reason: string | null, endpoint: Endpoint | null = null): void {
    if (replica.state === "stopping" || (replica.state === state && replica.reason === reason)) return;
    replica = { ...replica, state, reason, endpoint };
    changed();
  }

  function begin(): void {
    const model = find();
    if (!model) {
      become("failed", NO_FILE);
      return;
    }
    const contextLength = sizes.contextLength ?? model.contextLength;
    release = memory.take(engineBytes({ ...model, contextLength }, sizes.sequences));
    if (release === null) {
      become("starting", NO_MEMORY);
      return;
    }
    const { sequences, threads } = sizes;
    const wanted = { id: model.id, file: model.file, contextLength, sequences, threads };
    become("starting", null);
    engine = start(wanted, {
      ready: (socketPath) => {
        failures = 0;
        become("ready", null, { baseUrl: "http://engine/v1", socketPath, program: "engine" });
      },
      gone: (reason) => {
        failures += 1;
        become(failures >= FAILURES_TO_SAY_SO ? "failed" : "starting", reason);
      },
      line: (text) => line(name, text),
    });
  }

  begin();
  return {
    get replica() {
      return replica;
    },
    retry() {
      if (engine === null && replica.state !== "stopping") begin();
    },
    async stop() {
      become("stopping", null);
      await engine?.stop();
      release?.();
    },
  };
}
