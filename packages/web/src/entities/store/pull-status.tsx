import type { StorePull } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { formatPullProgress } from "./pull-progress.ts";
import styles from "./pull-status.module.css";
import { pullsQuery } from "./queries.ts";

type Props = {
  pull: StorePull;
  /** When `pull` was read, in milliseconds since 1970. */
  updatedAt: number;
};

/** How far a running download is: bytes, rate, time left and a bar, with a button that stops it. Its key is the download's id. */
export function PullStatus({ pull, updatedAt }: Props) {
  const [first] = useState({ bytes: pull.bytes_done, at: updatedAt });
  const stop = useAction(() => feather.admin.store.pulls.cancel(pull.id), {
    success: () => t`Stopped. What was downloaded is kept.`,
    invalidates: [pullsQuery.queryKey],
  });
  const seconds = (updatedAt - first.at) / 1000;
  const bytesPerSecond = seconds > 0 ? (pull.bytes_done - first.bytes) / seconds : null;
  return (
    <>
      <div className={styles.row}>
        <span role="status">{formatPullProgress(pull, bytesPerSecond)}</span>
        <button
          type="button"
          className="btn"
          aria-label={t`Stop the download of ${pull.model_id}`}
          disabled={stop.busy}
          onClick={() => void stop.run()}
        >
          {t`Stop`}
        </button>
      </div>
      <progress
        className={styles.bar}
        aria-label={t`Download of ${pull.model_id}`}
        max={pull.bytes_total ?? undefined}
        {...(pull.bytes_total !== null && { value: pull.bytes_done })}
      />
      <p className="small dim mono stranger">
        {pull.repository}: {pull.file}
      </p>
      {pull.error === null ? null : <p className="small">{t`It is tried again: ${pull.error}`}</p>}
    </>
  );
}
