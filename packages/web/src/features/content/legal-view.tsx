import { useQuery } from "@tanstack/react-query";
import { Article } from "./article.tsx";
import { legalQuery } from "./queries.ts";

/** A page of the law, from its Markdown. */
export function LegalView({ slug, title }: { slug: string; title: string }) {
  const { data, isError, refetch } = useQuery(legalQuery(slug));
  return (
    <Article
      title={data?.meta.title ?? title}
      lede={data?.meta.description ?? " "}
      above={
        data ? (
          <>
            As of <time dateTime={data.meta.date}>{data.meta.date}</time>
          </>
        ) : (
          " "
        )
      }
      body={data?.body}
      failed={isError}
      retry={() => void refetch()}
    />
  );
}
