import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Pager } from "#/components/ui/lists/pager.tsx";
import { formatCount } from "#/lib/format.ts";
import type { Selection } from "./bulk/selection.ts";
import { ColumnMenu } from "./column-menu.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { FilterChips } from "./filter-chips.tsx";
import styles from "./list.module.css";
import type { ListProps } from "./list-props.ts";
import { ListTable } from "./list-table.tsx";
import { useColumns } from "./use-columns.ts";

/** Filters, a table and pagination; it explains what to do while the list is empty. */
export function List<T>(props: ListProps<T>) {
  const { title, name = "", list, tools, query, selection, selectionActions, children } = props;
  const columns = useColumns(name, props.columns);
  const isEmpty = query.data?.items.length === 0 && !list?.isFiltered;
  const end = (
    <>
      {tools}
      {name === "" || isEmpty ? null : <ColumnMenu choice={columns} />}
    </>
  );
  return (
    <>
      {list && list.filters.length > 0 ? (
        <>
          <FilterBar list={list} end={end} />
          <FilterChips list={list} />
        </>
      ) : null}
      {selection && selection.ids.length > 0 ? <Chosen selection={selection}>{selectionActions}</Chosen> : null}
      {children}
      <Rows {...props} columns={columns.shown} />
      {query.data?.pagination && list ? (
        <Pager {...query.data.pagination} label={title} goToPage={list.goToPage} />
      ) : null}
    </>
  );
}

/** How many rows are selected, and what can be done with them. */
function Chosen({ selection, children }: { selection: Selection; children: ListProps<never>["selectionActions"] }) {
  return (
    <div className={styles.chosen} role="status">
      <span className="num">
        <Trans>{formatCount(selection.ids.length)} chosen</Trans>
      </span>
      {children}
      <button type="button" className="btn ghost" onClick={selection.clear}>
        {t`Choose none`}
      </button>
    </div>
  );
}

function Rows<T>({ title, list, query, columns, idOf, nameOf, selection, empty, isCards }: ListProps<T>) {
  if (query.isError && query.data === undefined)
    return <LoadError subject={`“${title}”`} error={query.error} retry={() => void query.refetch()} />;
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
      sort={list?.sort}
      isCards={isCards}
      isStale={query.isPlaceholderData}
    />
  );
}
