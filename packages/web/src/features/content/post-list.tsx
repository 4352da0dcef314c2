import type { PostList as Posts } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { Pager } from "#/components/ui/lists/pager.tsx";
import styles from "./post-list.module.css";
import { toDay } from "./posts.ts";

/** A page of posts, newest first, and the way to the others. */
export function PostList({ posts, goToPage }: { posts: Posts; goToPage(page: number): void }) {
  if (posts.items.length === 0) return <p className="muted mt-6">{t`There are no posts yet.`}</p>;
  return (
    <>
      <ul className={styles.posts}>
        {posts.items.map(({ slug, title, description, author, published_at }) => (
          <li key={slug}>
            <p className="small faint num">
              <time dateTime={toDay(published_at)}>{toDay(published_at)}</time>
            </p>
            <div>
              <h2 className="h3">
                <Link to={`/blog/${slug}`}>{title}</Link>
              </h2>
              <p className="muted mt-2">{description}</p>
              {author === null ? null : <p className="small faint mt-2">{author}</p>}
            </div>
          </li>
        ))}
      </ul>
      <Pager {...posts.pagination} label={t`Blog`} goToPage={goToPage} />
    </>
  );
}
