import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Pagination } from "#/components/ui/lists/pager.tsx";
import type { Selection } from "./bulk/selection.ts";
import type { Column } from "./list-table.tsx";
import type { ListState } from "./use-list-state.ts";

/** The rows of one page of a list. */
export type ListData<T> = { items: readonly T[]; pagination?: Pagination };

/** Props of `List`. */
export type ListProps<T> = {
  /** What the list shows, for its caption and its errors. */
  title: string;
  /** The name under which the browser remembers its columns; without it they cannot be chosen. */
  name?: string;
  /** Whether rows are cards where the table has no room. */
  isCards?: boolean;
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
  /** Shown above the rows. */
  children?: ReactNode;
};
