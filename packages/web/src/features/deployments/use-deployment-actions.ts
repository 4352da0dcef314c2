import type { Deployment, DeploymentUpdate } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { deploymentQuery } from "./queries.ts";

type Change = { changes: DeploymentUpdate; previousValues: DeploymentUpdate };
/** The object returned by `useDeploymentActions`. */
export type DeploymentActions = ReturnType<typeof useDeploymentActions>;

/** Actions on a deployment. Reversible ones run at once and offer an undo. */
export function useDeploymentActions({ id, name }: { id: string; name: string }) {
  const running = useAction(
    (isRunning: boolean) => (isRunning ? feather.deployments.resume(id) : feather.deployments.pause(id)),
    {
      optimistic: (client, isRunning) => showState(client, id, toState(isRunning)),
      success: (_, isRunning) => (isRunning ? t`${name} starts` : t`${name} is paused`),
      undo: (run, isRunning) => () => run(!isRunning),
      // The response may still have the old state: it changes when the replicas follow.
      onSuccess: (updated, isRunning, client) =>
        client.setQueryData(deploymentQuery(id).queryKey, {
          ...updated,
          state: toState(isRunning),
          state_reason: null,
        }),
      invalidates: [queries.deployments.list.key()],
    },
  );
  const change = useAction(({ changes }: Change) => feather.deployments.update(id, changes), {
    success: () => t`${name} is changed`,
    undo:
      (run, { changes, previousValues }) =>
      () =>
        run({ changes: previousValues, previousValues: changes }),
    onSuccess: (updated, _change, client) => client.setQueryData(deploymentQuery(id).queryKey, updated),
    invalidates: [queries.deployments.key()],
  });
  const removal = useAction(() => feather.deployments.delete(id), {
    success: () => t`${name} is being deleted`,
    invalidates: [queries.deployments.key()],
  });
  return {
    pause: () => running.run(false),
    resume: () => running.run(true),
    update: (changes: DeploymentUpdate, previousValues: DeploymentUpdate) => change.submit({ changes, previousValues }),
    remove: removal.submit,
  };
}

const toState = (isRunning: boolean): Deployment["state"] => (isRunning ? "initializing" : "paused");

/** Shows a state of a deployment. Returns a function that restores the one before. */
async function showState(client: QueryClient, id: string, state: Deployment["state"]): Promise<() => void> {
  const { queryKey } = deploymentQuery(id);
  await client.cancelQueries({ queryKey, exact: true });
  const previous = client.getQueryData(queryKey);
  if (previous) client.setQueryData(queryKey, { ...previous, state, state_reason: null });
  return () => client.setQueryData(queryKey, previous);
}
