import { once } from "node:events";
import { readSettings } from "./config/settings.ts";
import { exitWithError, ROOT, runServer } from "./start/run-server.ts";
import type { WorkerMessage, WorkerStart } from "./start/workers.ts";

/** A process beside the main one that takes requests at the same port; `start/workers.ts` starts it. */
async function main(): Promise<never> {
  const settings = readSettings(process.env, ROOT);
  const [start] = (await once(process, "message")) as [WorkerStart];
  const { targets, replicaHost, ...known } = start;
  return runServer({
    ...{ settings, ...known },
    worker: { targets, replicaHost, onJoined: (id) => tell({ type: "joined", id }) },
    report: () => {},
    reportReady: () => tell({ type: "ready" }),
  });
}

function tell(message: WorkerMessage): void {
  process.send?.(message);
}

main().catch(exitWithError);
