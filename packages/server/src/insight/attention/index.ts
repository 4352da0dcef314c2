import type { Clock } from "../../platform/core/clock.ts";
import { attentionRoutes } from "./attention.routes.ts";
import type { PlatformSources } from "./platform-attention.ts";

type Ports = PlatformSources & { clock: Clock };

/** Creates the list of what fails, ends soon or waits for an answer. */
export function createAttentionModule(ports: Ports) {
  return { routes: attentionRoutes(ports), jobs: [], api: {} };
}
