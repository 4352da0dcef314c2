import type { Body } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useToast } from "#/components/ui/toast.tsx";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { type Deployment, deploymentQuery, deploymentsQuery } from "./queries.ts";

type DeploymentUpdate = Body<"deployments.update">;
/** The object returned by `useDeploymentActions`. */
export type DeploymentActions = ReturnType<typeof useDeploymentActions>;

/** Actions on a deployment. Reversible ones run at once and offer an undo. */
export function useDeploymentActions({ id, name }: { id: string; name: string }) {
  const client = useQueryClient();
  const toast = useToast();
  const { queryKey } = deploymentQuery(id);
  const refresh = () => client.invalidateQueries({ queryKey: deploymentsQuery.queryKey });
  const showError = (error: unknown) => toast({ title: errorMessage(error), variant: "destructive" });

  /** Shows the expected state until the request has ended; restores the previous one on failure. */
  async function optimisticUpdate(state: Deployment["state"], mutation: () => Promise<Deployment>): Promise<boolean> {
    await client.cancelQueries({ queryKey, exact: true });
    const previous = client.getQueryData(queryKey);
    if (previous) client.setQueryData(queryKey, { ...previous, state, state_reason: null });
    try {
      const updated = await mutation();
      // The response may still have the old state: it changes when the replicas follow.
      client.setQueryData(queryKey, { ...updated, state, state_reason: null });
      return true;
    } catch (error) {
      if (previous) client.setQueryData(queryKey, previous);
      showError(error);
      return false;
    } finally {
      void client.invalidateQueries({ queryKey: deploymentsQuery.queryKey, exact: true });
    }
  }

  async function pause(): Promise<void> {
    if (await optimisticUpdate("paused", async () => feather.deployments.pause(id)))
      toast({ title: t`${name} is paused`, action: { label: t`Undo`, run: () => void resume() } });
  }

  async function resume(): Promise<void> {
    if (await optimisticUpdate("initializing", async () => feather.deployments.resume(id)))
      toast({ title: t`${name} starts`, action: { label: t`Undo`, run: () => void pause() } });
  }

  async function update(changes: DeploymentUpdate, previousValues: DeploymentUpdate): Promise<void> {
    client.setQueryData(queryKey, await feather.deployments.update(id, changes));
    toast({ title: t`${name} is changed`, action: { label: t`Undo`, run: () => void undo(previousValues) } });
    void refresh();
  }

  async function undo(previousValues: DeploymentUpdate): Promise<void> {
    try {
      client.setQueryData(queryKey, await feather.deployments.update(id, previousValues));
      toast({ title: t`${name} is as it was` });
    } catch (error) {
      showError(error);
    }
    void refresh();
  }

  async function remove(): Promise<void> {
    await feather.deployments.delete(id);
    toast({ title: t`${name} is being deleted` });
    void refresh();
  }

  return { pause, resume, update, remove, showError };
}
