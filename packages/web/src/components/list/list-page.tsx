import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Pager, type Pagination } from "#/components/ui/lists/pager.tsx";
import { formatCount } from "#/lib/format.ts";
import { PageHeader } from "../layouts/page-header.tsx";
import { FilterBar } from "./filter-bar.tsx";
import styles from "./list-page.module.css";
import { type Column, ListTable } from "./list-table.tsx";
import type { Selection } from "./selection.ts";
import type { ListState } from "./use-list-state.ts";

/** The rows of one page of a list. */
export type ListData<T> = { items: readonly T[]; pagination?: Pagination };

type Props<T> = {
  title: string;
  description: ReactNode;
  /** The parent page. */
  parentPage?: { label: string; to: string };
  action?: ReactNode;
  list?: ListState;
  /** Shown next to the filters. */
  tools?: ReactNode;
  query: Pick<UseQueryResult<ListData<T>>, "data" | "isError" | "error" | "refetch" | "isPlaceholderData">;
  columns: readonly Column<T>[];
  idOf(item: T): string;
  nameOf?: (item: T) => string;
  selection?: Selection;
  /** Actions for the selected rows. */
  selectionActions?: ReactNode;
  empty: { title: string; text: ReactNode; action?: ReactNode };
  children?: ReactNode;
};

/** A page with filters, a table and pagination; it explains what to do while the list is empty. */
export function ListPage<T>(props: Props<T>) {
  const { title, description, parentPage, action, list, tools, query, selection, selectionActions, children } = props;
  // An empty list shows its action in the middle of the page instead.
  const isEmpty = query.data?.items.length === 0 && !list?.isFiltered;
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        action={isEmpty && props.empty.action ? undefined : action}
        {...(parentPage && { parentPage })}
      />
      {list && list.filters.length > 0 ? <FilterBar list={list} end={tools} /> : null}
      {selection && selection.ids.length > 0 ? (
        <div className={styles.chosen} role="status">
          <span className="num">
            <Trans>{formatCount(selection.ids.length)} chosen</Trans>
          </span>
          {selectionActions}
          <button type="button" className="btn ghost" onClick={selection.clear}>
            {t`Choose none`}
          </button>
        </div>
      ) : null}
      {children}
      <ListRows {...props} />
      {query.data?.pagination && list ? (
        <Pager {...query.data.pagination} label={title} goToPage={list.goToPage} />
      ) : null}
    </>
  );
}

function ListRows<T>({ title, list, query, columns, idOf, nameOf, selection, empty }: Props<T>) {
  if (query.isError) return <LoadError subject={`“${title}”`} error={query.error} retry={() => void query.refetch()} />;
  if (query.data?.items.length === 0)
    return list?.isFiltered ? (
      <EmptyState
        title={t`Nothing matches`}
        action={
          <button type="button" className="btn" onClick={list.clear}>
            {t`Clear filters`}
          </button>
        }
      >
        {t`Nothing fits all of these filters. Take one away, or search for part of a name.`}
      </EmptyState>
    ) : (
      <EmptyState title={empty.title} action={empty.action}>
        {empty.text}
      </EmptyState>
    );
  return (
    <ListTable
      caption={title}
      columns={columns}
      items={query.data?.items}
      idOf={idOf}
      nameOf={nameOf}
      selection={selection}
      isStale={query.isPlaceholderData}
    />
  );
}
