import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { AdjacentLinks } from "#/features/content/adjacent-links.tsx";
import { postQuery, postsQuery, toDay } from "#/features/content/posts.ts";
import { PublishedArticle } from "#/features/content/published-article.tsx";

const FIRST_POSTS = postsQuery({ tag: null, page: 1 });
const toSlug = (rest = "") => rest.replace(/\/+$/, "");

/** A post of the blog. */
export default function BlogPostPage() {
  const slug = toSlug(useParams()["*"]);
  const query = useQuery(postQuery(slug));
  const posts = useQuery(FIRST_POSTS).data?.items ?? [];
  const next = posts[posts.findIndex((post) => post.slug === slug) + 1] ?? posts[0];
  return (
    <PublishedArticle
      query={query}
      meta={({ published_at, author, tags }) => (
        <>
          <Link to="/blog">{t`Blog`}</Link> · <time dateTime={toDay(published_at)}>{toDay(published_at)}</time>
          {author === null ? null : ` · ${author}`}
          {tags.map((tag) => (
            <span key={tag}>
              {" · "}
              <Link to={`/blog?tag=${encodeURIComponent(tag)}`}>{tag}</Link>
            </span>
          ))}
        </>
      )}
    >
      {next && next.slug !== slug ? (
        <AdjacentLinks label={t`More posts`}>
          <Link to={`/blog/${next.slug}`}>
            <span className="tiny faint">{t`Read next`}</span>
            {next.title}
          </Link>
        </AdjacentLinks>
      ) : null}
    </PublishedArticle>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { params }: PageLocation): Promise<unknown> =>
  Promise.all([client.prefetchQuery(postQuery(toSlug(params["*"]))), client.prefetchQuery(FIRST_POSTS)]);
