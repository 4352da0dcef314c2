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
      <progress className={styles.bar} aria-label={t`Download of ${pull.model_id}`} {...toBar(pull)} />
      <p className="small faint mono user-text">
        {pull.repository}: {pull.file}
      </p>
      {pull.error === null ? null : <p className="small">{t`It is tried again: ${pull.error}`}</p>}
    </>
  );
}

/** Returns the part of the bar that is full; a bar without `value` shows that nothing is known. */
function toBar({ state, bytes_done, bytes_total, conversion_progress: converted }: StorePull) {
  if (state === "converting") return converted === null ? {} : { max: 1, value: converted };
  return bytes_total === null ? {} : { max: bytes_total, value: bytes_done };
}
