import type { Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { formatAvailability, isBeingDownloaded } from "#/entities/models/availability.ts";
import { PullStatus } from "#/entities/store/pull-status.tsx";
import { isRunning } from "#/entities/store/queries.ts";
import { RunDialog } from "#/entities/store/run-dialog.tsx";
import { usePull } from "#/entities/store/use-pull.ts";
import styles from "./run-here.module.css";

/** Lets an administrator download a model to the server's machine, and shows how far the download is. */
export function RunHere({ model: { id, availability } }: { model: Model }) {
  const { pull, updatedAt } = usePull(id);
  const [isDialogOpen, setDialogOpen] = useState(false);
  if (pull && isRunning(pull))
    return (
      <div className={styles.state}>
        <PullStatus key={pull.id} pull={pull} updatedAt={updatedAt} />
      </div>
    );
  if (isBeingDownloaded(availability))
    return <p className={`muted ${styles.state}`}>{formatAvailability(availability)}</p>;
  return (
    <div className={styles.state}>
      <div className={styles.row}>
        <span className="muted">
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
