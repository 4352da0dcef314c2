import type { Body } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useToast } from "#/components/ui/toast.tsx";
import { feather } from "#/lib/feather.ts";
import { faultText } from "./faults.ts";
import { type Deployment, deploymentQuery, deploymentsQuery } from "./queries.ts";

type Changes = Body<"deployments.update">;
/** The object returned by `useDeploymentActions`. */
export type DeploymentActions = ReturnType<typeof useDeploymentActions>;

/** Actions on a deployment. Reversible ones run at once and offer an undo. */
export function useDeploymentActions({ id, name }: { id: string; name: string }) {
  const client = useQueryClient();
  const toast = useToast();
  const { queryKey } = deploymentQuery(id);
  const refresh = () => client.invalidateQueries({ queryKey: deploymentsQuery.queryKey });
  const sorry = (error: unknown) => toast({ title: faultText(error), variant: "destructive" });

  /** Shows the expected state until the request has ended; restores the previous one on failure. */
  async function expecting(state: Deployment["state"], call: () => Promise<Deployment>): Promise<boolean> {
    await client.cancelQueries({ queryKey, exact: true });
    const before = client.getQueryData(queryKey);
    if (before) client.setQueryData(queryKey, { ...before, state, state_reason: null });
    try {
      const now = await call();
      // The response may still have the old state: it changes when the replicas follow.
      client.setQueryData(queryKey, { ...now, state, state_reason: null });
      return true;
    } catch (error) {
      if (before) client.setQueryData(queryKey, before);
      sorry(error);
      return false;
    } finally {
      void client.invalidateQueries({ queryKey: deploymentsQuery.queryKey, exact: true });
    }
  }

  async function pause(): Promise<void> {
    if (await expecting("paused", async () => feather.deployments.pause(id)))
      toast({ title: t`${name} is paused`, action: { label: t`Undo`, run: () => void resume() } });
  }

  async function resume(): Promise<void> {
    if (await expecting("initializing", async () => feather.deployments.resume(id)))
      toast({ title: t`${name} starts`, action: { label: t`Undo`, run: () => void pause() } });
  }

  async function change(changes: Changes, back: Changes): Promise<void> {
    client.setQueryData(queryKey, await feather.deployments.update(id, changes));
    toast({ title: t`${name} is changed`, action: { label: t`Undo`, run: () => void undo(back) } });
    void refresh();
  }

  async function undo(back: Changes): Promise<void> {
    try {
      client.setQueryData(queryKey, await feather.deployments.update(id, back));
      toast({ title: t`${name} is as it was` });
    } catch (error) {
      sorry(error);
    }
    void refresh();
  }

  async function remove(): Promise<void> {
    await feather.deployments.delete(id);
    toast({ title: t`${name} is being deleted` });
    void refresh();
  }

  return { pause, resume, change, remove, sorry };
}
