import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { PageHeader } from "#/features/content/page-header.tsx";
import { POSTS } from "#/features/content/posts.ts";
import styles from "./blog.module.css";

/** The list of blog posts. */
export default function BlogPage() {
  return (
    <div className="page-width article">
      <PageHeader title={t`Blog`} intro={t`Why things here are as they are.`}>
        {POSTS.length === 0 ? null : (
          <p className="small mt-3">
            <a className="link" href="/blog/rss.xml">
              {t`Follow by RSS`}
            </a>
          </p>
        )}
      </PageHeader>
      {POSTS.length === 0 ? <p className="muted mt-6">{t`There are no posts yet.`}</p> : null}
      <ul className={styles.posts}>
        {POSTS.map(({ slug, meta }) => (
          <li key={slug}>
            <p className="small faint num">
              <time dateTime={meta.date}>{meta.date}</time>
            </p>
            <div>
              <h2 className="h3">
                <Link to={`/blog/${slug}`}>{meta.title}</Link>
              </h2>
              <p className="muted mt-2">{meta.description}</p>
              <p className="small faint mt-2">{meta.author}</p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
