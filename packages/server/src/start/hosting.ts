import type { Platform } from "../modules.ts";

/**
 * Lets this process run local models, downloads and deployments: at the start of a server that works alone, and when this one
 * becomes the leader.
 */
export async function startHosting({ api }: Pick<Platform, "api">): Promise<void> {
  await api.modelHost.start();
  await api.deployments.start();
}

/** Lets this process use the models that the leader hosts, until it leads itself. Resolves when it has asked once. */
export async function followLeader({ api }: Pick<Platform, "api">): Promise<void> {
  await Promise.all([api.modelHost.leaderHosting?.follow(), api.modelHost.openPulls.refresh()]);
}
