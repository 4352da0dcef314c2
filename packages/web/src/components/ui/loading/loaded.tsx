import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { LoadError } from "../feedback/load-error.tsx";
import styles from "./loaded.module.css";
import { Skeleton } from "./skeleton.tsx";

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
