import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import styles from "./list-table.module.css";
import type { Selection } from "./selection.ts";

/** A column of a table. */
export type Column<T> = {
  header: ReactNode;
  cell(item: T): ReactNode;
  /** Aligned right, with tabular numerals. */
  isNumeric?: boolean;
  /** Hidden on narrow screens. */
  hideWhenNarrow?: boolean;
  className?: string;
};

type Props<T> = {
  caption: string;
  columns: readonly Column<T>[];
  items: readonly T[] | undefined;
  idOf(item: T): string;
  /** The accessible name of a row. */
  nameOf?: ((item: T) => string) | undefined;
  selection?: Selection | undefined;
  /** Whether newer rows are being loaded. */
  isStale?: boolean;
};

const cellClassName = <T,>({ isNumeric, hideWhenNarrow, className }: Column<T>): string | undefined =>
  [isNumeric ? "numeric" : "", hideWhenNarrow ? "wide-only" : "", className ?? ""].filter(Boolean).join(" ") ||
  undefined;

/** A table of rows; skeleton rows while `items` is undefined. */
export function ListTable<T>({ caption, columns, items, idOf, nameOf = idOf, selection, isStale }: Props<T>) {
  const ids = items?.map(idOf) ?? [];
  const cells = columns.map((column, index) => ({ ...column, key: index }));
  return (
    <table className={styles.list} aria-busy={items === undefined || isStale}>
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
            <th key={column.key} className={cellClassName(column)}>
              {column.header}
            </th>
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
                <td key={column.key} className={cellClassName(column)}>
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
