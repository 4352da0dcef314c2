import type { Model, StorePull } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { modelQuery } from "#/entities/models/queries.ts";
import { PullStatus } from "#/entities/store/pull-status.tsx";
import { isRunning, pullsQuery } from "#/entities/store/queries.ts";
import { RunDialog } from "#/entities/store/run-dialog.tsx";
import styles from "./run-here.module.css";

/** Lets an administrator download a model to the server's machine, and shows how far the download is. */
export function RunHere({ model: { id } }: { model: Model }) {
  const { data, dataUpdatedAt } = useQuery(pullsQuery);
  const [isDialogOpen, setDialogOpen] = useState(false);
  const pull = data?.items.find(({ model_id }) => model_id.toLowerCase() === id.toLowerCase());
  useReloadWhenDone(id, pull);
  if (pull && isRunning(pull))
    return (
      <div className={styles.state}>
        <PullStatus key={pull.id} pull={pull} updatedAt={dataUpdatedAt} />
      </div>
    );
  return (
    <div className={styles.state}>
      <div className={styles.row}>
        <span className="mid">
          {pull?.state === "failed"
            ? t`The last download failed: ${pull.error ?? t`no reason is known`}`
            : t`Download it to this machine, and it answers here.`}
        </span>
        <button type="button" className="btn primary" onClick={() => setDialogOpen(true)}>
          {t`Run it here`}
        </button>
      </div>
      <RunDialog modelId={id} open={isDialogOpen} onClose={() => setDialogOpen(false)} />
    </div>
  );
}

/** Loads the model again when its download is done, since it can be called from then on. */
function useReloadWhenDone(id: string, pull: StorePull | undefined): void {
  const client = useQueryClient();
  const state = pull?.state;
  useEffect(() => {
    if (state === "done") void client.invalidateQueries({ queryKey: modelQuery(id).queryKey });
  }, [client, id, state]);
}
