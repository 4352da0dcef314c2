import { isNotFound, type Post } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLocation } from "react-router-dom";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { Article } from "./article.tsx";
import { compiledQuery } from "./posts.ts";
import { useHashScroll } from "./use-hash-scroll.ts";
import { usePageHead } from "./use-page-head.ts";

type Props = {
  query: UseQueryResult<Post>;
  /** What stands above the title. */
  meta?(post: Post): ReactNode;
  children?: ReactNode;
};

/** A published post or page, from its Markdown; "Not found" if there is none. */
export function PublishedArticle({ query, meta, children }: Props) {
  const { data: post } = query;
  const compiled = useQuery({ ...compiledQuery(post?.text ?? ""), enabled: post !== undefined });
  usePageHead(post?.title, post?.description);
  useHashScroll(compiled.data !== undefined);
  const { pathname, search, hash } = useLocation();
  if (isNotFound(query.error))
    return <ErrorView error={{ statusCode: 404, message: t`Page Not Found: ${pathname}${search}${hash}` }} />;
  return (
    <Article
      title={post?.title ?? t`Loading`}
      intro={post?.description ?? " "}
      meta={post && meta ? meta(post) : " "}
      body={compiled.data?.body}
      hasFailed={query.isError || compiled.isError}
      retry={() => void (query.isError ? query.refetch() : compiled.refetch())}
    >
      {children}
    </Article>
  );
}
