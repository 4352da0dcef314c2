import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import styles from "./panel.module.css";

type Props<T> = {
  title: string;
  to: string;
  linkLabel: string;
  query: Pick<UseQueryResult<T>, "data" | "isError" | "error" | "refetch">;
  children(data: T): ReactNode;
};

/** A section of the overview with a link to the full page. */
export function Panel<T>({ title, to, linkLabel, query, children }: Props<T>) {
  return (
    <section className={styles.panel} aria-label={title}>
      <div className="row between">
        <h2 className="h4">{title}</h2>
        <Link className="link small" to={to}>
          {linkLabel}
        </Link>
      </div>
      {query.isError ? (
        <LoadError subject={title} error={query.error} retry={() => void query.refetch()} />
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
