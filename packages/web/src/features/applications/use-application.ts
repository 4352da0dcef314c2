import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { paths } from "#/config/paths.ts";
import { feather } from "#/lib/feather.ts";
import { useAttempt } from "#/lib/use-attempt.ts";
import { type Application, applicationQuery, applicationsQuery } from "./queries.ts";
import { type ApplicationValues, bodyOf } from "./rules.ts";
import type { ShownSecret } from "./secret-dialog.tsx";

/** Actions on an application. A status change can be undone; a new secret and deletion ask for confirmation. */
export function useApplication(application: Application) {
  const { id, name } = application;
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const confirm = useConfirm();
  const [secret, setSecret] = useState<ShownSecret | null>(null);
  const switching = useAttempt((status: "active" | "inactive") => feather.applications.setStatus(id, { status }));
  const renewal = useAttempt((_: null, options) => feather.applications.regenerateSecret(id, options));
  const removal = useAttempt(async (_: null) => {
    await feather.applications.delete(id);
    return true;
  });

  function show(changed: Application): void {
    client.setQueryData(applicationQuery(id).queryKey, changed);
    void client.invalidateQueries({ queryKey: applicationsQuery.queryKey, exact: true });
  }

  async function setStatus(status: "active" | "inactive", isUndo = false): Promise<void> {
    const switched = await switching.run(status);
    if (!switched) return;
    show(switched.value);
    const back = status === "active" ? "inactive" : "active";
    toast({
      title: status === "active" ? t`${name} is on` : t`${name} is off`,
      ...(!isUndo && { action: { label: t`Undo`, run: () => void setStatus(back, true) } }),
    });
  }

  async function save(values: ApplicationValues): Promise<void> {
    show(await feather.applications.update(id, bodyOf(values)));
    toast({ title: t`Saved`, variant: "success" });
  }

  function renewSecret(): void {
    confirm({
      title: t`New secret for ${name}`,
      description: t`The present one goes on for 24 hours, so that programs can be changed over without a gap.`,
      confirmButtonText: t`Make a new secret`,
      action: async () => {
        const renewed = await renewal.run(null);
        if (!renewed) return;
        const { client_secret, old_secret_valid_until_at } = renewed.value;
        setSecret({ name, clientId: id, secret: client_secret ?? "", oldUntil: old_secret_valid_until_at ?? null });
      },
    });
  }

  function remove(): void {
    confirm({
      title: t`Delete ${name}`,
      description: t`Programs that use it stop working at once, and its id is gone. This cannot be undone.`,
      confirmButtonText: t`Delete ${name}`,
      destructive: true,
      action: async () => {
        const removed = await removal.run(null);
        if (!removed) return;
        toast({ title: t`${name} is deleted` });
        navigate(paths.applications);
        client.removeQueries({ queryKey: applicationQuery(id).queryKey });
        void client.invalidateQueries({ queryKey: applicationsQuery.queryKey });
      },
    });
  }

  return {
    error: switching.error ?? renewal.error ?? removal.error,
    busy: switching.busy || renewal.busy || removal.busy,
    secret,
    closeSecret: () => setSecret(null),
    setStatus: (status: "active" | "inactive") => void setStatus(status),
    save,
    renewSecret,
    remove,
  };
}
