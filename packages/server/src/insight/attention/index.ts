import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { attentionRoutes } from "./attention.routes.ts";
import type { ListBackends } from "./platform-attention.ts";

type Ports = { db: Database; clock: Clock; listBackends: ListBackends };

/** Creates the list of what fails, ends soon or waits for an answer. */
export function createAttentionModule(ports: Ports) {
  return { routes: attentionRoutes(ports), jobs: [], api: {} };
}
