import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Skeleton } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";

type Props<T> = {
  title: string;
  to: string;
  more: string;
  query: Pick<UseQueryResult<T>, "data" | "isError" | "error" | "refetch">;
  children(data: T): ReactNode;
};

/** A section of the overview with a link to the full page. */
export function Panel<T>({ title, to, more, query, children }: Props<T>) {
  return (
    <section className="panel" aria-label={title}>
      <div className="row between">
        <h2 className="h4">{title}</h2>
        <Link className="link small" to={to}>
          {more}
        </Link>
      </div>
      {query.isError ? (
        <ReadFault what={title} error={query.error} again={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <p className="mt-4">
          <Skeleton height={96} />
        </p>
      ) : (
        children(query.data)
      )}
    </section>
  );
}
