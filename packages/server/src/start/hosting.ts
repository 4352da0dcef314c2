import type { Modules } from "../modules.ts";

/**
 * Starts local models, downloads and deployments in this process: at the start of a server that works alone, or when this
 * process becomes the leader.
 */
export async function startHosting({ api }: Pick<Modules, "api">): Promise<void> {
  await api.modelHost.start();
  await api.deployments.start();
}

/**
 * Makes the models of the leader available in this process until this process leads. Resolves when the leader was asked
 * once.
 */
export async function followLeader({ api }: Pick<Modules, "api">): Promise<void> {
  await Promise.all([api.modelHost.leaderHosting?.follow(), api.modelHost.openPulls.refresh()]);
}
