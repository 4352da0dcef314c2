import type { Model, StorePull } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { modelQuery } from "#/entities/models/queries.ts";
import { isRunning, pullsQuery } from "#/entities/store/queries.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { formatPullProgress } from "./pull-progress.ts";
import { RunDialog } from "./run-dialog.tsx";
import styles from "./run-here.module.css";

/** Lets an administrator download a model to the server's machine, and shows how far the download is. */
export function RunHere({ model: { id } }: { model: Model }) {
  const { data, dataUpdatedAt } = useQuery(pullsQuery);
  const [isDialogOpen, setDialogOpen] = useState(false);
  const pull = data?.items.find(({ model_id }) => model_id.toLowerCase() === id.toLowerCase());
  useReloadWhenDone(id, pull);
  if (pull && isRunning(pull)) return <PullStatus key={pull.id} pull={pull} updatedAt={dataUpdatedAt} />;
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

function PullStatus({ pull, updatedAt }: { pull: StorePull; updatedAt: number }) {
  const [first] = useState({ bytes: pull.bytes_done, at: updatedAt });
  const stop = useAction(() => feather.admin.store.pulls.cancel(pull.id), {
    success: () => t`Stopped. What was downloaded is kept.`,
    invalidates: [pullsQuery.queryKey],
  });
  const seconds = (updatedAt - first.at) / 1000;
  const bytesPerSecond = seconds > 0 ? (pull.bytes_done - first.bytes) / seconds : null;
  return (
    <div className={styles.state}>
      <div className={styles.row}>
        <span role="status">{formatPullProgress(pull, bytesPerSecond)}</span>
        <button type="button" className="btn" disabled={stop.busy} onClick={() => void stop.run()}>
          {t`Stop`}
        </button>
      </div>
      <progress
        className={styles.bar}
        aria-label={t`Download`}
        max={pull.bytes_total ?? undefined}
        {...(pull.bytes_total !== null && { value: pull.bytes_done })}
      />
      <p className="small dim mono stranger">
        {pull.repository}: {pull.file}
      </p>
      {pull.error === null ? null : <p className="small">{t`It is tried again: ${pull.error}`}</p>}
    </div>
  );
}
