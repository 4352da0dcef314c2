import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { EmptyState } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { Pager, type Pagination } from "#/components/ui/pager.tsx";
import { count } from "#/lib/format.ts";
import { PageHead } from "../page-head.tsx";
import { type Column, ListTable } from "./list-table.tsx";
import type { Selection } from "./selection.ts";
import { Toolbar } from "./toolbar.tsx";
import type { ListState } from "./use-list.ts";

/** The rows of one page of a list. */
export type ListData<T> = { items: readonly T[]; pagination?: Pagination };

type Props<T> = {
  title: string;
  about: ReactNode;
  /** The parent page. */
  up?: { label: string; to: string };
  action?: ReactNode;
  list?: ListState;
  /** Shown beside the filters. */
  tools?: ReactNode;
  query: Pick<UseQueryResult<ListData<T>>, "data" | "isError" | "error" | "refetch" | "isPlaceholderData">;
  columns: readonly Column<T>[];
  idOf(item: T): string;
  nameOf?: (item: T) => string;
  selection?: Selection;
  /** Actions for the selected rows. */
  chosen?: ReactNode;
  empty: { title: string; text: ReactNode; action?: ReactNode };
  children?: ReactNode;
};

/** A page with filters, a table and pagination; it explains what to do while the list is empty. */
export function ListPage<T>(props: Props<T>) {
  const { title, about, up, action, list, tools, query, selection, chosen, children } = props;
  // An empty list shows its action in the middle of the page instead.
  const isEmpty = query.data?.items.length === 0 && !list?.filtered;
  return (
    <>
      <PageHead
        title={title}
        about={about}
        action={isEmpty && props.empty.action ? undefined : action}
        {...(up && { up })}
      />
      {list && list.filters.length > 0 ? <Toolbar list={list} end={tools} /> : null}
      {selection && selection.ids.length > 0 ? (
        <div className="chosen" role="status">
          <span className="num">
            <Trans>{count(selection.ids.length)} chosen</Trans>
          </span>
          {chosen}
          <button type="button" className="btn ghost" onClick={selection.clear}>
            {t`Choose none`}
          </button>
        </div>
      ) : null}
      {children}
      <Rows {...props} />
      {query.data?.pagination && list ? <Pager {...query.data.pagination} what={title} go={list.go} /> : null}
    </>
  );
}

function Rows<T>({ title, list, query, columns, idOf, nameOf, selection, empty }: Props<T>) {
  if (query.isError) return <ReadFault what={`“${title}”`} error={query.error} again={() => void query.refetch()} />;
  if (query.data?.items.length === 0)
    return list?.filtered ? (
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
      stale={query.isPlaceholderData}
    />
  );
}
