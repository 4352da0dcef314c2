import type { ModelRequest } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { ModelId, StateBadge } from "#/components/ui/primitives.tsx";
import { paths } from "#/config/paths.ts";
import { formatAvailability } from "#/entities/models/availability.ts";
import { formatFit } from "#/entities/models/format-fit.ts";
import { modelQuery } from "#/entities/models/queries.ts";
import { PullStatus } from "#/entities/store/pull-status.tsx";
import { isRunning } from "#/entities/store/queries.ts";
import { RunDialog } from "#/entities/store/run-dialog.tsx";
import { usePull } from "#/entities/store/use-pull.ts";
import { formatParameterCount } from "#/lib/format.ts";
import { adminPaths } from "../paths.ts";
import styles from "./requested-model.module.css";

/** How many requesting organizations are listed by name. */
const MAX_NAMED_ORGANIZATIONS = 3;

/** A model of the catalogue as its page reads it; nothing is read of others. */
const useCatalogueModel = ({ model_id, in_catalogue }: ModelRequest) =>
  useQuery({ ...modelQuery(model_id), enabled: in_catalogue }).data;

/** A requested model with its size, and whether it fits this machine. */
export function RequestedModel({ request }: { request: ModelRequest }) {
  const { model_id: id, in_catalogue } = request;
  const model = useCatalogueModel(request);
  const size = formatParameterCount(model?.parameter_size ?? null);
  return (
    <>
      <Link to={in_catalogue ? paths.model(id) : adminPaths.importModels([id])}>
        <ModelId id={id} />
      </Link>
      <div className="small faint">
        {!in_catalogue
          ? t`not in the catalogue`
          : model?.fit
            ? t`${size} parameters: ${formatFit(model.fit)}`
            : model
              ? t`${size} parameters`
              : " "}
      </div>
      <div className={`small faint ${styles.from}`}>
        <RequestingOrganizations request={request} />
      </div>
    </>
  );
}

/** The first requesting organizations by name, and the number of others. */
export function RequestingOrganizations({ request }: { request: ModelRequest }) {
  const shown = request.organizations.slice(0, MAX_NAMED_ORGANIZATIONS);
  const more = request.request_count - shown.length;
  return (
    <span className="small user-text">
      {shown.join(", ")}
      {more > 0 ? ` ${plural(more, { one: "and # more", other: "and # more" })}` : null}
    </span>
  );
}

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
