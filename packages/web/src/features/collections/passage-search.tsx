import type { CollectionHit } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type FormEvent, useState } from "react";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import styles from "#/components/ui/lists/card-list.module.css";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import lineStyles from "./passage-search.module.css";

const MAX_QUERY_LENGTH = 4_000;

/** Searches a collection, and shows the passages that were found, with document and page, and why some may be missing. */
export function PassageSearch({ collectionId }: { collectionId: string }) {
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<{ items: readonly CollectionHit[]; problems: readonly string[] } | null>(null);
  const search = useAction(
    (text: string) => feather.collections.search({ collection_ids: [collectionId], query: text }),
    { onSuccess: setFound, onError: () => setFound(null), showsError: true },
  );
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (query.trim() !== "") void search.run(query.trim());
  }
  return (
    <section className="mt-6" aria-labelledby="search">
      <h2 className="h3" id="search">
        {t`Search`}
      </h2>
      <p className="muted mt-2">{t`Shows the passages that would go with a question in a chat.`}</p>
      <form onSubmit={submit}>
        <div className={`${lineStyles.line} mt-3`}>
          <input
            className="input"
            type="search"
            aria-label={t`Question or words`}
            placeholder={t`Question or words`}
            maxLength={MAX_QUERY_LENGTH}
            value={query}
            onChange={({ target }) => setQuery(target.value)}
          />
          <button type="submit" className="btn" disabled={search.busy || query.trim() === ""} aria-busy={search.busy}>
            {search.busy ? t`Searching …` : t`Search`}
          </button>
        </div>
      </form>
      <ErrorNotice error={search.error} />
      <div aria-live="polite">{found ? <Found {...found} /> : null}</div>
    </section>
  );
}

function Found({ items, problems }: { items: readonly CollectionHit[]; problems: readonly string[] }) {
  return (
    <>
      {problems.map((problem) => (
        <p key={problem} className="notice quiet mt-3">
          {problem}
        </p>
      ))}
      {items.length === 0 ? <p className="mt-3">{t`No passage was found.`}</p> : null}
      <ol className={styles.list}>
        {items.map((hit) => (
          <li key={`${hit.document_id} ${hit.number}`} className={styles.card}>
            <h3 className="h4 user-text">{hit.document_name}</h3>
            <p className="small muted">{describePlace(hit)}</p>
            <p className="user-text" dir="auto">
              {hit.text}
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}

const describePlace = ({ page, number }: CollectionHit): string =>
  page === null ? t`Passage ${number}` : t`Page ${page}, passage ${number}`;
