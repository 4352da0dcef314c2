import { t } from "@lingui/core/macro";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { useDebounced } from "#/lib/use-debounced.ts";
import styles from "./content.module.css";
import { Content } from "./content.tsx";
import { ContentLoadError } from "./load-error.tsx";
import { compiledQuery } from "./posts.ts";

const DEBOUNCE_MS = 200;

/** A text as the site shows it, while it is written. */
export function MarkdownPreview({ text }: { text: string }) {
  const written = useDebounced(text, DEBOUNCE_MS);
  const compiled = useQuery({ ...compiledQuery(written), placeholderData: keepPreviousData });
  if (text.trim() === "") return <p className="faint mt-3">{t`There is no text.`}</p>;
  return (
    <div className={styles.docBody}>
      {compiled.isError ? (
        <ContentLoadError retry={() => void compiled.refetch()} />
      ) : compiled.data ? (
        <Content nodes={compiled.data.body} />
      ) : (
        <Skeleton height={240} />
      )}
    </div>
  );
}
