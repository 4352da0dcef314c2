import type { ModelRequest } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatAvailability } from "#/entities/models/availability.ts";
import { PullStatus } from "#/entities/store/pull-status.tsx";
import { isRunning } from "#/entities/store/queries.ts";
import { RunDialog } from "#/entities/store/run-dialog.tsx";
import { usePull } from "#/entities/store/use-pull.ts";
import styles from "./run-requested-model.module.css";
import { useCatalogueModel } from "./use-catalogue-model.ts";

/** Downloads a requested model and runs it here, and shows how far that is. */
export function RunRequestedModel({ request }: { request: ModelRequest }) {
  return (
    <div className={styles.here}>
      <Run request={request} />
    </div>
  );
}

function Run({ request }: { request: ModelRequest }) {
  const { model_id: id } = request;
  const model = useCatalogueModel(request);
  const { pull, updatedAt } = usePull(id);
  const [isDialogOpen, setDialogOpen] = useState(false);
  const tier = model?.availability.tier ?? "offline";
  if (pull && isRunning(pull)) return <PullStatus key={pull.id} pull={pull} updatedAt={updatedAt} />;
  if (model && tier !== "offline") return <StateBadge tier={tier}>{formatAvailability(model.availability)}</StateBadge>;
  return (
    <>
      {pull?.state === "failed" ? (
        <p className="small mb-2">{t`The last download failed: ${pull.error ?? t`no reason is known`}`}</p>
      ) : null}
      <button
        type="button"
        className="btn"
        aria-label={t`Download and run ${id}`}
        disabled={model?.fit?.verdict === "too_large"}
        title={model?.fit?.verdict === "too_large" ? model.fit.reason : undefined}
        onClick={() => setDialogOpen(true)}
      >
        {t`Download and run`}
      </button>
      <RunDialog modelId={id} open={isDialogOpen} onClose={() => setDialogOpen(false)} />
    </>
  );
}
