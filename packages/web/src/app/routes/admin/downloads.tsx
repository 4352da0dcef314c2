import type { StorePull } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { ListPage } from "#/components/list/list-page.tsx";
import type { Column } from "#/components/list/list-table.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { formatProgress } from "#/entities/store/pull-progress.ts";
import { isRunning, pullsQuery, storedModelsQuery } from "#/entities/store/queries.ts";
import styles from "#/features/admin/admin.module.css";
import { optionalText, textOrNull } from "#/features/admin/forms/field-schemas.ts";
import { FormDialog } from "#/features/admin/forms/form-dialog.tsx";
import { MODEL_ID_PATTERN } from "#/features/admin/models/model-fields.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { createMenuColumn } from "#/features/admin/row-menu.tsx";
import { StoredModels } from "#/features/admin/store/stored-models.tsx";
import { feather } from "#/lib/feather.ts";
import { formatBytes, formatPercent } from "#/lib/format.ts";
import { useAction } from "#/lib/use-action.ts";

const TIERS: Record<StorePull["state"], string> = {
  queued: "offline",
  downloading: "loading",
  verifying: "loading",
  converting: "loading",
  paused: "offline",
  done: "good",
  failed: "bad",
  canceled: "offline",
};

const COLUMNS: Column<StorePull>[] = [
  {
    header: t`Model`,
    cell: ({ model_id, organization_id, repository, file }) => (
      <>
        <ModelId id={model_id} /> {organization_id === null ? null : <Tag>{t`private`}</Tag>}
        <div className="mono small faint user-text">{repository === model_id ? file : `${repository}: ${file}`}</div>
      </>
    ),
  },
  {
    header: t`Fetched`,
    cell: (pull) =>
      pull.bytes_total === null
        ? formatBytes(pull.bytes_done)
        : t`${formatBytes(pull.bytes_done)} of ${formatBytes(pull.bytes_total)}`,
    isNumeric: true,
    hideWhenNarrow: true,
  },
  { header: t`Begun`, cell: ({ created_at }) => <RelativeTime date={created_at} />, hideWhenNarrow: true },
  {
    header: t`State`,
    cell: (pull) => (
      <span className="small">
        <StateBadge tier={TIERS[pull.state]}>{stateLabel(pull)}</StateBadge>
        {pull.error ? <div className={`tiny faint ${styles.cellNote} user-text`}>{pull.error}</div> : null}
      </span>
    ),
  },
];

function stateLabel(pull: StorePull): string {
  const { state, conversion_progress: converted } = pull;
  if (state === "downloading") return t`downloading ${formatProgress(pull)}`;
  return state === "converting" && converted !== null ? t`converting ${formatPercent(converted, 0)}` : state;
}

const rules = z.object({
  model_id: z.string().regex(MODEL_ID_PATTERN, { error: t`Model is not valid: owner/name.` }),
  file: optionalText(t`File`, 300),
});

/** Returns what can be done with a download, for its menu. */
function useDownloadMenu() {
  const stopping = useAction((id: string) => feather.admin.store.pulls.cancel(id), {
    success: () => t`Stopped. What came is kept.`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const pausing = useAction((id: string) => feather.admin.store.pulls.pause(id), {
    success: () => t`Paused. What came is kept.`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const continuing = useAction((id: string) => feather.admin.store.pulls.resume(id), {
    success: () => t`It goes on`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const restarting = useAction(
    ({ model_id, file }: StorePull) => feather.admin.store.pulls.create({ model_id, file }),
    {
      success: () => t`It goes on`,
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  return (pull: StorePull) => [
    isRunning(pull) && { label: t`Pause`, run: () => void pausing.run(pull.id) },
    pull.state === "paused" && { label: t`Resume`, run: () => void continuing.run(pull.id) },
    (isRunning(pull) || pull.state === "paused") && {
      label: t`Stop`,
      run: () => void stopping.run(pull.id),
    },
    // An organization restarts the download of its private model itself, because it needs the organization's token.
    (pull.state === "failed" || pull.state === "canceled") &&
      pull.organization_id === null && {
        label: t`Resume`,
        run: () => void restarting.run(pull),
      },
  ];
}

/** Downloads of model files from the hub to the server, and the files on its disk. */
export default function AdminDownloadsPage() {
  const pulls = useQuery(pullsQuery);
  const menuOf = useDownloadMenu();
  const [isFormOpen, setFormOpen] = useState(false);
  const fetching = useAction(
    ({ model_id, file }: z.infer<typeof rules>) => {
      const name = textOrNull(file);
      return feather.admin.store.pulls.create({ model_id, ...(name !== null && { file: name }) });
    },
    { success: (_, { model_id }) => t`${model_id} is being fetched`, invalidates: ADMIN_QUERY_KEYS },
  );
  const download = (
    <button type="button" className="btn primary" onClick={() => setFormOpen(true)}>
      {t`Download a model`}
    </button>
  );
  return (
    <>
      <ListPage
        title={t`Downloads`}
        description={t`Files of models that are fetched from the hub to this machine. Their checksums are checked, then the model can be called.`}
        action={download}
        query={pulls}
        columns={[...COLUMNS, createMenuColumn(({ model_id }: StorePull) => model_id, menuOf)]}
        idOf={({ id }) => id}
        nameOf={({ model_id }) => model_id}
        empty={{
          title: t`Nothing was downloaded yet`,
          text: t`Fetch a model in GGUF form to run it on this machine, without another program.`,
          action: download,
        }}
      />
      <StoredModels />
      {isFormOpen ? (
        <FormDialog
          open
          title={t`Download a model`}
          description={t`It resumes where it was stopped before.`}
          close={() => setFormOpen(false)}
          schema={rules}
          initial={{ model_id: "", file: "" }}
          fields={[
            {
              name: "model_id",
              label: t`Model`,
              autoFocus: true,
              hint: t`owner/name of a model, or of a repository with GGUF files. owner/name:Q5_K_M chooses a quantization.`,
            },
            { name: "file", label: t`File`, hint: t`Empty: the best one that fits the memory.` },
          ]}
          submitLabel={t`Download`}
          submit={fetching.submit}
        />
      ) : null}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient) =>
  Promise.all([client.prefetchQuery(pullsQuery), client.prefetchQuery(storedModelsQuery)]);
