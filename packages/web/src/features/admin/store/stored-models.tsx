import type { StoredModel } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { type Column, ListTable } from "#/components/list/list-table.tsx";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { paths } from "#/config/paths.ts";
import { storedModelsQuery } from "#/entities/store/queries.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { createMenuColumn } from "#/features/admin/row-menu.tsx";
import { feather } from "#/lib/feather.ts";
import { formatBytes } from "#/lib/format.ts";
import { useAction } from "#/lib/use-action.ts";

const COLUMNS: Column<StoredModel>[] = [
  {
    header: t`Model`,
    cell: ({ model_id, organization_id, repository, file }) => (
      <>
        {organization_id === null ? (
          <Link to={paths.model(model_id)}>
            <ModelId id={model_id} />
          </Link>
        ) : (
          <>
            <ModelId id={model_id} /> <Tag>{t`private`}</Tag>
          </>
        )}
        <div className="mono small faint user-text">{repository === model_id ? file : `${repository}: ${file}`}</div>
      </>
    ),
  },
  { header: t`Size`, cell: ({ bytes }) => formatBytes(bytes), isNumeric: true, hideWhenNarrow: true },
  {
    header: t`Last call`,
    cell: ({ last_used_at }) => <RelativeTime date={last_used_at} />,
    hideWhenNarrow: true,
  },
  {
    header: t`State`,
    cell: ({ is_loaded, is_pinned }) => (
      <span className="small">
        <StateBadge tier={is_loaded ? "good" : "offline"}>{is_loaded ? t`in memory` : t`on the disk`}</StateBadge>
        {is_pinned ? (
          <>
            {" "}
            <Tag>{t`pinned`}</Tag>
          </>
        ) : null}
      </span>
    ),
  },
];

/** Unlike that of the model's download, which is on the same page. */
const menuNameOf = ({ model_id }: StoredModel) => t`${model_id} on this machine`;

/** The models whose files are on this machine, with what can be done with each. Nothing while there are none. */
export function StoredModels() {
  const { data, error, refetch } = useQuery(storedModelsQuery);
  const menuOf = useStoredModelMenu();
  const title = t`On this machine`;
  if (error) return <LoadError subject={`“${title}”`} error={error} retry={() => void refetch()} />;
  if (!data || data.items.length === 0) return null;
  const size = formatBytes(data.items.reduce((sum, { bytes }) => sum + bytes, 0));
  return (
    <section>
      <h2 className="h4 mt-8">{title}</h2>
      <p className="small muted mt-1 mb-2">
        {plural(data.items.length, { one: `# model, ${size}.`, other: `# models, ${size}.` })}{" "}
        {t`A pinned one stays on the disk and in memory.`}
      </p>
      <ListTable
        caption={title}
        columns={[...COLUMNS, createMenuColumn(menuNameOf, menuOf)]}
        items={data.items}
        idOf={({ model_id, organization_id }) => `${organization_id ?? ""}/${model_id}`}
        nameOf={({ model_id }) => model_id}
      />
    </section>
  );
}

/** Returns what can be done with a stored model, for its menu: nothing with those that belong to an organization. */
function useStoredModelMenu() {
  const confirm = useConfirm();
  const pinning = useAction(
    ({ model_id, is_pinned }: StoredModel) => feather.admin.store.models.update(model_id, { pinned: !is_pinned }),
    {
      success: ({ model_id, is_pinned }) =>
        is_pinned
          ? t`${model_id} stays on the disk and in memory`
          : t`${model_id} is unloaded when nobody calls it, and deleted when another model needs its room`,
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  const removal = useAction((modelId: string) => feather.admin.store.models.delete(modelId), {
    success: (_, modelId) => t`${modelId} is deleted from the disk`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const remove = (modelId: string) =>
    confirm({
      title: t`Delete ${modelId}`,
      description: t`Its file is deleted from this machine, and requests that it is answering fail. It can be downloaded again.`,
      confirmButtonText: t`Delete the file`,
      destructive: true,
      action: async () => {
        await removal.run(modelId);
      },
    });
  return (model: StoredModel) =>
    model.organization_id === null
      ? [
          { label: model.is_pinned ? t`Unpin` : t`Pin`, run: () => void pinning.run(model) },
          { label: t`Delete the file`, run: () => remove(model.model_id), destructive: true },
        ]
      : [];
}
