import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import type { Selection } from "./bulk/selection.ts";
import styles from "./list-table.module.css";
import type { Sorting } from "./use-list-state.ts";

/** A column of a table. */
export type Column<T> = {
  header: ReactNode;
  /** Its name in a row that is shown as a card, and in the menu of columns. */
  name?: string;
  /** Lets the visitor hide it. */
  id?: string;
  /** Whether it is hidden until the visitor shows it. */
  isHiddenAtFirst?: boolean;
  /** Values of the list's order that its head sets, the first one first. */
  sorts?: readonly SortValue[];
  cell(item: T): ReactNode;
  /** Aligned right, with tabular numerals. */
  isNumeric?: boolean;
  /** Hidden on narrow screens. */
  hideWhenNarrow?: boolean;
  className?: string;
};

/** A value of a list's order, and the direction in which it sorts a column. */
export type SortValue = { value: string; direction: "ascending" | "descending" };

type Props<T> = {
  caption: string;
  /** The order of the list, which the heads of columns set. */
  sort?: Sorting | null | undefined;
  /** Whether rows are cards where the table has no room; their cells then need the names of columns. */
  isCards?: boolean | undefined;
  columns: readonly Column<T>[];
  items: readonly T[] | undefined;
  idOf(item: T): string;
  /** The accessible name of a row. */
  nameOf?: ((item: T) => string) | undefined;
  selection?: Selection | undefined;
  /** Whether newer rows are being loaded. */
  isStale?: boolean;
};

const ARROWS = { ascending: "↑", descending: "↓", none: "↕" } as const;

const cellClassName = <T,>({ isNumeric, hideWhenNarrow, className }: Column<T>): string | undefined =>
  [isNumeric ? "numeric" : "", hideWhenNarrow ? "wide-only" : "", className ?? ""].filter(Boolean).join(" ") ||
  undefined;

/** A table of rows; skeleton rows while `items` is undefined. */
export function ListTable<T>(props: Props<T>) {
  const { caption, columns, items, idOf, nameOf = idOf, selection, isStale, sort = null, isCards } = props;
  const ids = items?.map(idOf) ?? [];
  const cells = columns.map((column, index) => ({ ...column, key: index }));
  return (
    <table
      className={isCards ? `${styles.list} ${styles.cards}` : styles.list}
      aria-busy={items === undefined || isStale}
    >
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {selection ? (
            <th className="choice">
              <RowCheckbox
                label={t`Choose all on this page`}
                checked={ids.length > 0 && ids.every(selection.has)}
                onChange={(on) => selection.setAll(ids, on)}
              />
            </th>
          ) : null}
          {cells.map((column) => (
            <ColumnHead key={column.key} column={column} sort={sort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {items === undefined ? (
          <SkeletonRows columns={columns.length + (selection ? 1 : 0)} />
        ) : (
          items.map((item) => (
            <tr key={idOf(item)}>
              {selection ? (
                <td className="choice">
                  <RowCheckbox
                    label={t`Choose ${nameOf(item)}`}
                    checked={selection.has(idOf(item))}
                    onChange={(on) => selection.set(idOf(item), on)}
                  />
                </td>
              ) : null}
              {cells.map((column) => (
                <td key={column.key} className={cellClassName(column)} data-label={column.name}>
                  {column.cell(item)}
                </td>
              ))}
            </tr>
          ))
        )}
      </tbody>
    </table>
  );
}

/** The head of a column: a button if it sets the order of the list. */
function ColumnHead<T>({ column, sort }: { column: Column<T>; sort: Sorting | null }) {
  const { sorts = [], header } = column;
  const [first] = sorts;
  if (sort === null || first === undefined) return <th className={cellClassName(column)}>{header}</th>;
  const index = sorts.findIndex(({ value }) => value === sort.value);
  const direction = sorts[index]?.direction ?? "none";
  const next = sorts[(index + 1) % sorts.length] ?? first;
  return (
    <th className={cellClassName(column)} aria-sort={direction}>
      <button type="button" className={styles.head} onClick={() => sort.set(next.value)}>
        {header} <span aria-hidden="true">{ARROWS[direction]}</span>
      </button>
    </th>
  );
}

function RowCheckbox({ label, checked, onChange }: { label: string; checked: boolean; onChange(on: boolean): void }) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span className="visually-hidden">{label}</span>
    </label>
  );
}

function SkeletonRows({ columns }: { columns: number }) {
  return Array.from({ length: 8 }, (_, row) => row).map((row) => (
    <tr key={row}>
      <td colSpan={columns} height={52}>
        <Skeleton width={`${70 - ((row * 13) % 40)}%`} />
      </td>
    </tr>
  ));
}
