import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { Link } from "react-router-dom";
import { LoadError } from "./error-notice.tsx";
import styles from "./panel.module.css";
import { Skeleton } from "./primitives.tsx";

type Props = {
  title: string;
  /** The page that shows all of it. */
  more: { label: string; to: string };
  children: ReactNode;
};

/** A framed part of a page, with a link to the page that shows all of it. */
export function Panel({ title, more, children }: Props) {
  const id = useId();
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <div className="row between">
        <h2 className="h4" id={id}>
          {title}
        </h2>
        <Link className="link small" to={more.to}>
          {more.label}
        </Link>
      </div>
      {children}
    </section>
  );
}

type LoadedProps<Data> = {
  subject: string;
  query: UseQueryResult<Data>;
  children(data: Data): ReactNode;
};

/** The data of a query once it is there; before that a placeholder, and an error with a retry if it cannot be read. */
export function Loaded<Data>({ subject, query, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <LoadError subject={subject} error={query.error} retry={() => void query.refetch()} />;
  return (
    <div className={styles.loading}>
      <Skeleton height={104} />
    </div>
  );
}

/** A list in a panel: each item has its name at the start, and one thing at the end. */
export function PanelList({ children }: { children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>;
}
