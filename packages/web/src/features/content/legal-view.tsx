import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Article } from "./article.tsx";
import { loadLegal } from "./legal-pages.ts";
import { contentQuery } from "./queries.ts";

/** A legal page, from its Markdown. */
export function LegalView({ slug, title }: { slug: string; title: string }) {
  const { data, isError, refetch } = useQuery(contentQuery("legal", slug, loadLegal));
  return (
    <Article
      title={data?.meta.title ?? title}
      intro={data?.meta.description ?? " "}
      meta={
        data ? (
          <>
            {t`As of`} <time dateTime={data.meta.date}>{data.meta.date}</time>
          </>
        ) : (
          " "
        )
      }
      body={data?.body}
      hasFailed={isError}
      retry={() => void refetch()}
    />
  );
}

/** Returns a function that prefetches a legal page. */
export const prefetchLegal = (slug: string) => (client: QueryClient) =>
  client.prefetchQuery(contentQuery("legal", slug, loadLegal));
