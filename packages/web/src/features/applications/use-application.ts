import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { paths } from "#/config/paths.ts";
import { feather } from "#/lib/feather.ts";
import { useIdempotentAction } from "#/lib/use-idempotent-action.ts";
import { type ApplicationValues, toRequestBody } from "./application-schema.ts";
import type { NewSecret } from "./application-secret-dialog.tsx";
import { type Application, applicationQuery, applicationsQuery } from "./queries.ts";

/** Actions on an application. A status change can be undone; a new secret and deletion ask for confirmation. */
export function useApplication(application: Application) {
  const { id, name } = application;
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const confirm = useConfirm();
  const [secret, setSecret] = useState<NewSecret | null>(null);
  const switching = useIdempotentAction((status: "active" | "inactive") =>
    feather.applications.setStatus(id, { status }),
  );
  const regeneration = useIdempotentAction((_: null, options) => feather.applications.regenerateSecret(id, options));
  const removal = useIdempotentAction(async (_: null) => {
    await feather.applications.delete(id);
    return true;
  });

  function updateCache(changed: Application): void {
    client.setQueryData(applicationQuery(id).queryKey, changed);
    void client.invalidateQueries({ queryKey: applicationsQuery.queryKey, exact: true });
  }

  async function setStatus(status: "active" | "inactive", isUndo = false): Promise<void> {
    const switched = await switching.run(status);
    if (!switched) return;
    updateCache(switched.value);
    const previousStatus = status === "active" ? "inactive" : "active";
    toast({
      title: status === "active" ? t`${name} is on` : t`${name} is off`,
      ...(!isUndo && { action: { label: t`Undo`, run: () => void setStatus(previousStatus, true) } }),
    });
  }

  async function save(values: ApplicationValues): Promise<void> {
    updateCache(await feather.applications.update(id, toRequestBody(values)));
    toast({ title: t`Saved`, variant: "success" });
  }

  function regenerateSecret(): void {
    confirm({
      title: t`New secret for ${name}`,
      description: t`The present one goes on for 24 hours, so that programs can be changed over without a gap.`,
      confirmButtonText: t`Make a new secret`,
      action: async () => {
        const regenerated = await regeneration.run(null);
        if (!regenerated) return;
        const { client_secret, old_secret_valid_until_at } = regenerated.value;
        setSecret({
          name,
          clientId: id,
          secret: client_secret ?? "",
          previousValidUntil: old_secret_valid_until_at ?? null,
        });
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
    error: switching.error ?? regeneration.error ?? removal.error,
    busy: switching.busy || regeneration.busy || removal.busy,
    secret,
    closeSecret: () => setSecret(null),
    setStatus: (status: "active" | "inactive") => void setStatus(status),
    save,
    regenerateSecret,
    remove,
  };
}
