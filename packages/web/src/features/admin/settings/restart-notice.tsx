import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { settingsQuery } from "#/features/admin/system/queries.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { waitForRestart } from "./wait-for-restart.ts";

type Props = { startedAt: Date; canRestart: boolean };

/** Says that saved values wait for the next start, and starts the server again where that is possible from here. */
export function RestartNotice({ startedAt, canRestart }: Props) {
  const client = useQueryClient();
  const confirm = useConfirm();
  const [state, setState] = useState<"ready" | "restarting" | "lost">("ready");
  const readStart = async () => (await client.fetchQuery({ ...settingsQuery, staleTime: 0, retry: false })).started_at;
  const restart = useAction(() => feather.admin.restart(), {
    async onSuccess() {
      setState("restarting");
      // The name and the rest of the configuration are read when the page loads.
      if (await waitForRestart(startedAt, readStart)) window.location.reload();
      else setState("lost");
    },
  });
  const ask = () =>
    confirm({
      title: t`Start the server again`,
      description: t`Calls that run get their time to end, as when the server is stopped. For some seconds it answers nobody.`,
      confirmButtonText: t`Start it again`,
      action: () => void restart.run(),
    });
  return (
    <div className="notice mt-4 mb-4" role="status">
      <p>
        {state === "restarting"
          ? t`The server starts again. This page is loaded anew as soon as it answers.`
          : state === "lost"
            ? t`The server has not come back. Its log says why.`
            : t`Saved values are used after the next start of the server.`}{" "}
        {canRestart ? null : t`Several servers work on the database: start them again where they are run.`}
      </p>
      {canRestart && state !== "restarting" ? (
        <button type="button" className="btn mt-3" onClick={ask} disabled={restart.busy}>
          {t`Start it again`}
        </button>
      ) : null}
    </div>
  );
}
