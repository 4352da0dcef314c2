import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { PageHeader } from "#/features/content/page-header.tsx";
import { PostList } from "#/features/content/post-list.tsx";
import { postsQuery } from "#/features/content/posts.ts";

const readQuery = (params: URLSearchParams) => ({
  tag: params.get("tag"),
  page: Math.max(1, Number.parseInt(params.get("page") ?? "1", 10) || 1),
});

/** The list of blog posts. */
export default function BlogPage() {
  const [params, setParams] = useSearchParams();
  const { tag, page } = readQuery(params);
  const posts = useQuery(postsQuery({ tag, page }));
  const goToPage = (to: number) => setParams({ ...(tag !== null && { tag }), page: String(to) });
  return (
    <div className="page-width article">
      <PageHeader title={t`Blog`} intro={t`Why things here are as they are.`}>
        {posts.data?.items.length ? (
          <p className="small mt-3">
            <a className="link" href="/blog/rss.xml">
              {t`Follow by RSS`}
            </a>
          </p>
        ) : null}
      </PageHeader>
      {tag === null ? null : (
        <p className="mt-4 user-text">
          {t`Posts about ${tag}.`} <Link to="/blog">{t`All posts`}</Link>
        </p>
      )}
      <Loaded subject={t`the posts`} query={posts}>
        {(loaded) => <PostList posts={loaded} goToPage={goToPage} />}
      </Loaded>
    </div>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { search }: PageLocation): Promise<void> =>
  client.prefetchQuery(postsQuery(readQuery(new URLSearchParams(search))));
