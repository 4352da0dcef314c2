import { once } from "node:events";
import type { Server } from "node:net";
import { exitWithError, runServer } from "./start/run-server.ts";
import type { WorkerMessage, WorkerStart } from "./start/workers.ts";

/** A process that takes requests on the same port as the main process, which starts it in `start/workers.ts`. */
async function main(): Promise<never> {
  const [start] = (await once(process, "message")) as [WorkerStart];
  const { targets, savedSettings, replicaHost, canSharePort, ...known } = start;
  return runServer({
    ...known,
    worker: {
      targets,
      savedSettings: new Map(savedSettings),
      replicaHost,
      receiveListener: canSharePort ? null : receiveListener,
      onJoined: (id) => tell({ type: "joined", id }),
      onRestart: () => tell({ type: "restarts" }),
    },
    report: () => {},
    reportReady: () => tell({ type: "ready" }),
  });
}

async function receiveListener(): Promise<Server> {
  tell({ type: "listens" });
  const [, listener] = (await once(process, "message")) as [string, Server];
  return listener;
}

function tell(message: WorkerMessage): void {
  process.send?.(message);
}

main().catch(exitWithError);
