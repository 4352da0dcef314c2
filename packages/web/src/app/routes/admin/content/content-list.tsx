import type { ContentSummary, Query } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { ListPage } from "#/components/list/list-page.tsx";
import { type Filter, type ListValues, readList } from "#/components/list/list-params.ts";
import type { Column } from "#/components/list/list-table.tsx";
import { useListState } from "#/components/list/use-list-state.ts";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { KINDS, SOURCES, STATES, toSitePath } from "#/features/admin/content/labels.ts";
import { NewContentDialog } from "#/features/admin/content/new-content-dialog.tsx";
import { ProblemNotice } from "#/features/admin/content/problem-notice.tsx";
import { contentListQuery } from "#/features/admin/content/queries.ts";
import { NameWithDetail } from "#/features/admin/name-with-detail.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";

const FILTERS: readonly Filter[] = [
  { name: "search", label: t`Search`, kind: "search", placeholder: t`Part of the title or of the address` },
  {
    name: "kind",
    label: t`Kind`,
    kind: "choice",
    options: [
      { value: "post", label: KINDS.post },
      { value: "page", label: KINDS.page },
    ],
  },
  {
    name: "state",
    label: t`State`,
    kind: "choice",
    options: [
      { value: "draft", label: STATES.draft.label },
      { value: "scheduled", label: STATES.scheduled.label },
      { value: "published", label: STATES.published.label },
    ],
  },
];

const COLUMNS: Column<ContentSummary>[] = [
  {
    header: t`Title`,
    cell: (item) => (
      <Link to={adminPaths.contentItem(item.kind, item.slug)}>
        <NameWithDetail name={item.title} detail={toSitePath(item)} />
      </Link>
    ),
  },
  { header: t`Kind`, cell: ({ kind }) => <span className="small muted">{KINDS[kind]}</span>, hideWhenNarrow: true },
  { header: t`Source`, cell: ({ source }) => <span className="small">{SOURCES[source]}</span>, hideWhenNarrow: true },
  {
    header: t`Date`,
    cell: ({ published_at }) => <RelativeTime date={published_at} emptyText="–" />,
    hideWhenNarrow: true,
  },
  {
    header: t`State`,
    cell: ({ state }) => (
      <span className="small">
        <StateBadge tier={STATES[state].tier}>{STATES[state].label}</StateBadge>
      </span>
    ),
  },
];

const toQuery = ({ values, page }: ListValues) => ({ ...values, page, perPage: 50 }) as Query<"admin.content.list">;

/** The posts of the blog and the pages of the operator, whether they are shown or not. */
export default function AdminContentPage() {
  const list = useListState(FILTERS);
  const content = useQuery(contentListQuery(toQuery(list)));
  const [isNew, setNew] = useState(false);
  const addButton = (
    <button type="button" className="btn primary" onClick={() => setNew(true)}>
      {t`Write a post or page`}
    </button>
  );
  return (
    <>
      <ListPage
        title={t`Content`}
        description={t`Posts of the blog, and pages such as an imprint. They are written here, or lie as Markdown files in the data folder.`}
        action={addButton}
        list={list}
        query={content}
        columns={COLUMNS}
        idOf={({ kind, slug }) => `${kind}/${slug}`}
        nameOf={({ title }) => title}
        empty={{
          title: t`No posts and no pages`,
          text: t`Write the first one: it is a draft until you publish it.`,
          action: addButton,
        }}
      />
      <ProblemNotice problems={content.data?.problems ?? []} />
      {isNew ? <NewContentDialog close={() => setNew(false)} /> : null}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { search }: PageLocation): Promise<void> =>
  client.prefetchQuery(contentListQuery(toQuery(readList(search, FILTERS))));
