import type { Application } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { paths } from "#/config/paths.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { type ApplicationValues, toRequestBody } from "./application-schema.ts";
import type { NewSecret } from "./application-secret-dialog.tsx";
import { applicationQuery, applicationsQuery } from "./queries.ts";

type Status = "active" | "inactive";

/** Actions on an application. A status change can be undone; a new secret and deletion ask for confirmation. */
export function useApplication(application: Application) {
  const { id, name } = application;
  const client = useQueryClient();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const [secret, setSecret] = useState<NewSecret | null>(null);
  const switching = useAction((status: Status) => feather.applications.setStatus(id, { status }), {
    showsError: true,
    success: (_, status) => (status === "active" ? t`${name} is on` : t`${name} is off`),
    undo: (run, status) => () => run(status === "active" ? "inactive" : "active"),
    onSuccess: updateCache,
    invalidates: [applicationsQuery.queryKey],
  });
  const saving = useAction((values: ApplicationValues) => feather.applications.update(id, toRequestBody(values)), {
    success: () => t`Saved`,
    onSuccess: updateCache,
    invalidates: [applicationsQuery.queryKey],
  });
  const regeneration = useAction((_: null, options) => feather.applications.regenerateSecret(id, options), {
    showsError: true,
    onSuccess: ({ client_secret, old_secret_valid_until_at }) =>
      setSecret({
        name,
        clientId: id,
        secret: client_secret ?? "",
        previousValidUntil: old_secret_valid_until_at ?? null,
      }),
  });
  const removal = useAction(() => feather.applications.delete(id), {
    showsError: true,
    success: () => t`${name} is deleted`,
    async onSuccess() {
      await navigate(paths.applications);
      client.removeQueries({ queryKey: applicationQuery(id).queryKey });
    },
    invalidates: [applicationsQuery.queryKey],
  });

  function updateCache(changed: Application): void {
    client.setQueryData(applicationQuery(id).queryKey, changed);
  }

  function regenerateSecret(): void {
    confirm({
      title: t`New secret for ${name}`,
      description: t`The present one goes on for 24 hours, so that programs can be changed over without a gap.`,
      confirmButtonText: t`Make a new secret`,
      action: async () => {
        await regeneration.run(null);
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
        await removal.run();
      },
    });
  }

  return {
    error: switching.error ?? regeneration.error ?? removal.error,
    busy: switching.busy || regeneration.busy || removal.busy,
    secret,
    closeSecret: () => setSecret(null),
    setStatus: (status: Status) => void switching.run(status),
    save: saving.submit,
    regenerateSecret,
    remove,
  };
}
