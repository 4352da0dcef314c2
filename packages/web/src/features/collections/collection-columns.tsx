import type { Collection } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import type { Column } from "#/components/list/list-table.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { paths } from "#/config/paths.ts";
import { formatCount } from "#/lib/format.ts";
import { describeAccess } from "./access.ts";

/** What can be done with a collection of the list. */
export type CollectionActions = { change(collection: Collection): void; remove(collection: Collection): void };

const named = (id: string, name: string) => ({ id, name, header: name });

/** Returns the columns of the collections, the last one with actions for those that the user may change. */
export function createCollectionColumns(actions: CollectionActions): Column<Collection>[] {
  return [
    {
      header: t`Name`,
      className: "title",
      cell: ({ id, name, description }) => (
        <>
          <Link className="link" to={paths.collection(id)}>
            <bdi>{name}</bdi>
          </Link>
          {description === "" ? null : <div className="small muted user-text">{description}</div>}
        </>
      ),
    },
    { ...named("access", t`Read by`), cell: ({ access }) => describeAccess(access) },
    {
      ...named("model", t`Model for embeddings`),
      cell: ({ embedding_model: model }) => (model === null ? t`none, words alone` : <bdi>{model}</bdi>),
      className: "roomy",
    },
    { ...named("documents", t`Documents`), cell: ({ documents }) => formatCount(documents), isNumeric: true },
    { ...named("state", t`State`), cell: (collection) => <State collection={collection} /> },
    {
      header: <span className="visually-hidden">{t`Actions`}</span>,
      className: "roomy",
      cell: (collection) => <Actions collection={collection} actions={actions} />,
    },
  ];
}

function State({ collection }: { collection: Collection }) {
  const { documents, waiting_documents: waiting, failed_documents: failed } = collection;
  if (failed > 0)
    return <StateBadge tier="offline">{plural(failed, { one: "# failed", other: "# failed" })}</StateBadge>;
  if (waiting > 0)
    return <StateBadge tier="loading">{plural(waiting, { one: "# waiting", other: "# waiting" })}</StateBadge>;
  return documents === 0 ? <span className="faint">{t`empty`}</span> : <StateBadge tier="good">{t`ready`}</StateBadge>;
}

function Actions({ collection, actions }: { collection: Collection; actions: CollectionActions }) {
  const { name, may_change, created_by_name: creator } = collection;
  if (!may_change)
    return (
      <span className="small muted user-text">
        {creator === null ? t`Admins change it` : t`${creator} and admins change it`}
      </span>
    );
  return (
    <span className="row wrapping">
      <button
        type="button"
        className="btn ghost"
        aria-label={t`Change ${name}`}
        onClick={() => actions.change(collection)}
      >
        {t`Change`}
      </button>
      <button
        type="button"
        className="btn ghost"
        aria-label={t`Delete ${name}`}
        onClick={() => actions.remove(collection)}
      >
        {t`Delete`}
      </button>
    </span>
  );
}
