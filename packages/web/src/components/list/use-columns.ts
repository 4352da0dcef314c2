import { useState } from "react";
import { storage } from "#/lib/browser/storage.ts";
import { readHiddenColumns, saveHiddenColumns } from "./hidden-columns.ts";
import type { Column } from "./list-table.tsx";

/** The columns of a list that the visitor can hide, and which of all are shown. */
export type ColumnChoice<T> = {
  shown: readonly Column<T>[];
  optional: readonly { id: string; name: string; isShown: boolean }[];
  setShown(id: string, isShown: boolean): void;
};

/** The columns of a list without those that the visitor has hidden, which the browser remembers by the list's name. */
export function useColumns<T>(list: string, columns: readonly Column<T>[]): ColumnChoice<T> {
  const initial = columns.flatMap(({ id, isHiddenAtFirst }) => (id && isHiddenAtFirst ? [id] : []));
  const [hidden, setHidden] = useState(() => readHiddenColumns(storage, list, initial));
  return {
    shown: columns.filter(({ id }) => id === undefined || !hidden.includes(id)),
    optional: columns.flatMap(({ id, name }) =>
      id === undefined || name === undefined ? [] : [{ id, name, isShown: !hidden.includes(id) }],
    ),
    setShown(id, isShown) {
      const next = isShown ? hidden.filter((one) => one !== id) : [...hidden, id];
      setHidden(next);
      saveHiddenColumns(storage, list, next);
    },
  };
}
