import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router-dom";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { AdjacentLinks } from "#/features/content/adjacent-links.tsx";
import { Article } from "#/features/content/article.tsx";
import { loadPost, POSTS } from "#/features/content/posts.ts";
import { contentQuery } from "#/features/content/queries.ts";
import { useHashScroll } from "#/features/content/use-hash-scroll.ts";
import { usePageHead } from "#/features/content/use-page-head.ts";

/** A post of the blog. */
export default function BlogPostPage() {
  const { "*": rest = "" } = useParams();
  const slug = rest.replace(/\/+$/, "");
  const index = POSTS.findIndex((post) => post.slug === slug);
  const entry = POSTS[index];
  const { data, isError, refetch } = useQuery({
    ...contentQuery("blog", slug, loadPost),
    enabled: entry !== undefined,
  });
  usePageHead(entry?.meta.title, entry?.meta.description);
  useHashScroll(data !== undefined && data !== null);
  if (!entry) return <ErrorView error={{ statusCode: 404 }} />;
  const { title, description, date, author } = entry.meta;
  const next = POSTS[index + 1] ?? POSTS[0];
  return (
    <Article
      title={title}
      intro={description}
      meta={
        <>
          <Link to="/blog">{t`Blog`}</Link> · <time dateTime={date}>{date}</time> · {author}
        </>
      }
      body={data?.body}
      hasFailed={isError}
      retry={() => void refetch()}
    >
      {next && next.slug !== slug ? (
        <AdjacentLinks label={t`More posts`}>
          <Link to={`/blog/${next.slug}`}>
            <span className="tiny faint">{t`Read next`}</span>
            {next.meta.title}
          </Link>
        </AdjacentLinks>
      ) : null}
    </Article>
  );
}

/** Loads the post before the page is shown. */
export const prepare = (client: QueryClient, path: string): Promise<void> =>
  client.prefetchQuery(contentQuery("blog", path.replace(/^\/blog\/|\/+$/g, ""), loadPost));
