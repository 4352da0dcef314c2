import type { Database } from "../../platform/core/db/connect.ts";
import type { Events } from "../../platform/core/events.ts";
import { toDeploymentDto } from "./deployments.dto.ts";
import type { DeploymentRow } from "./deployments.repository.ts";

type Deps = { events: Events; publicUrl: string };

/** The states that are sent to webhooks. The other states are transitions, or were requested by the user. */
const EVENT_TYPES: Readonly<Record<string, "deployment.ready" | "deployment.failed">> = {
  running: "deployment.ready",
  failed: "deployment.failed",
  update_failed: "deployment.failed",
};

/** Records the event for webhooks that a deployment runs or has failed. */
export async function recordStateEvent({ events, publicUrl }: Deps, row: DeploymentRow, trx: Database): Promise<void> {
  const data = toDeploymentDto(row, publicUrl);
  const type = EVENT_TYPES[data.state];
  if (type !== undefined) await events.record(row.organization_id, { type, data }, trx);
}
