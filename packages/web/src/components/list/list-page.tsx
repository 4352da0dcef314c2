import type { ReactNode } from "react";
import { PageHeader } from "../layouts/page-header.tsx";
import { List } from "./list.tsx";
import type { ListProps } from "./list-props.ts";

type Props<T> = ListProps<T> & {
  description: ReactNode;
  /** The parent page. */
  parentPage?: { label: string; to: string };
  action?: ReactNode;
};

/** A page with a header and a list. */
export function ListPage<T>({ description, parentPage, action, ...list }: Props<T>) {
  // An empty list shows its action in the middle of the page instead.
  const isEmpty = list.query.data?.items.length === 0 && !list.list?.isFiltered;
  return (
    <>
      <PageHeader
        title={list.title}
        description={description}
        action={isEmpty && list.empty.action ? undefined : action}
        {...(parentPage && { parentPage })}
      />
      <List {...list} />
    </>
  );
}
