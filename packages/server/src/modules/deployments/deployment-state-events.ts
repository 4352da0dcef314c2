import type { Database } from "../../core/db/connect.ts";
import type { Events } from "../../core/events.ts";
import { toDeploymentDto } from "./deployments.dto.ts";
import type { DeploymentRow } from "./deployments.repository.ts";

type Deps = { events: Events; publicUrl: string };

/** Which states webhooks are told of; the others are on the way to one of them, or were asked for. */
const EVENT_TYPES: Readonly<Record<string, "deployment.ready" | "deployment.failed">> = {
  running: "deployment.ready",
  failed: "deployment.failed",
  update_failed: "deployment.failed",
};

/** Tells webhooks when a deployment runs or has failed. */
export async function recordStateEvent({ events, publicUrl }: Deps, row: DeploymentRow, trx: Database): Promise<void> {
  const data = toDeploymentDto(row, publicUrl);
  const type = EVENT_TYPES[data.state];
  if (type !== undefined) await events.record(row.organization_id, { type, data }, trx);
}
