import type { CollectionDocument } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import type { Column } from "#/components/list/list-table.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatCount, formatRelativeTime } from "#/lib/format.ts";

const named = (id: string, name: string) => ({ id, name, header: name });

/** Returns the columns of a collection's documents; the last one deletes, where `remove` is not null. */
export function createDocumentColumns(
  remove: ((document: CollectionDocument) => void) | null,
): Column<CollectionDocument>[] {
  return [
    {
      header: t`Name`,
      className: "title",
      cell: (document) => (
        <>
          <bdi>{document.name}</bdi>
          <div className="small muted">{describeLength(document)}</div>
        </>
      ),
    },
    { ...named("state", t`State`), cell: (document) => <State document={document} />, className: "roomy" },
    {
      ...named("added", t`Added`),
      cell: ({ created_at, created_by_name: creator }) => (
        <>
          {formatRelativeTime(created_at)}
          {creator === null ? null : <div className="small muted user-text">{creator}</div>}
        </>
      ),
    },
    ...(remove === null
      ? []
      : [
          {
            header: <span className="visually-hidden">{t`Actions`}</span>,
            cell: (document: CollectionDocument) => (
              <button
                type="button"
                className="btn ghost"
                aria-label={t`Delete ${document.name}`}
                onClick={() => remove(document)}
              >
                {t`Delete`}
              </button>
            ),
          },
        ]),
  ];
}

function describeLength({ pages, passages, cut_at }: CollectionDocument): string {
  const parts = [
    ...(pages === null ? [] : [plural(pages, { one: "# page", other: "# pages" })]),
    plural(passages, { one: "# passage", other: "# passages" }),
    ...(cut_at === null ? [] : [t`only its beginning was read`]),
  ];
  return parts.join(" · ");
}

/** The state of a document's vectors, with the reason why the last try failed. */
function State({ document }: { document: CollectionDocument }) {
  const { state, problem, embedded_passages: done, passages, next_try_at } = document;
  switch (state) {
    case "waiting":
      return <StateBadge tier="loading">{t`waits for vectors, found by words`}</StateBadge>;
    case "embedding":
      return (
        <StateBadge tier="loading">{t`${formatCount(done)} of ${formatCount(passages)} vectors are made`}</StateBadge>
      );
    case "ready":
      return <StateBadge tier="good">{t`ready`}</StateBadge>;
    case "failed":
      return (
        <>
          <StateBadge tier="offline">{t`vectors failed, found by words`}</StateBadge>
          <div className="small user-text">{problem}</div>
          {next_try_at === null ? null : (
            <div className="small muted">{t`Next try: ${formatRelativeTime(next_try_at)}`}</div>
          )}
        </>
      );
  }
}
