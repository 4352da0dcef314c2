import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { AdjacentLinks } from "../adjacent-links.tsx";
import styles from "../content.module.css";
import { Content } from "../content.tsx";
import { ContentLoadError } from "../load-error.tsx";
import { toMarkdownPath } from "../markdown-path.ts";
import { PageHeader } from "../page-header.tsx";
import { DOCS, loadDoc } from "../pages.ts";
import { contentQuery } from "../queries.ts";
import { useHashScroll } from "../use-hash-scroll.ts";
import { usePageHead } from "../use-page-head.ts";
import { DocsLayout } from "./docs-layout.tsx";
import { MarkdownActions } from "./markdown-actions.tsx";
import { useMarkdownLink } from "./use-markdown-link.ts";

/** Prefetches a page of the docs. */
export const prefetchDoc = (client: QueryClient, slug: string): Promise<void> =>
  client.prefetchQuery(contentQuery("docs", slug, loadDoc));

/** A page of the docs. */
export function DocView({ slug }: { slug: string }) {
  const position = DOCS.findIndex((entry) => entry.slug === slug);
  const entry = DOCS[position];
  const {
    data: page,
    isError,
    refetch,
  } = useQuery({ ...contentQuery("docs", slug, loadDoc), enabled: entry !== undefined });
  usePageHead(entry?.meta.title ?? t`No such page`, page?.meta.description);
  const markdownPath = toMarkdownPath(`/docs/${slug}`);
  useMarkdownLink(entry ? markdownPath : null);
  useHashScroll(page !== undefined && page !== null);
  if (!entry) return <DocNotFound slug={slug} />;
  return (
    <DocsLayout headings={page?.headings ?? []}>
      <article>
        <PageHeader
          above={entry.meta.section}
          title={entry.meta.title}
          intro={page?.meta.description ?? <Skeleton width="70%" height={20} />}
        >
          <MarkdownActions path={markdownPath} />
        </PageHeader>
        <div className={styles.docBody}>
          {isError ? (
            <ContentLoadError retry={() => void refetch()} />
          ) : page ? (
            <Content nodes={page.body} />
          ) : (
            <DocSkeleton />
          )}
        </div>
      </article>
      <AdjacentPages position={position} />
    </DocsLayout>
  );
}

function DocSkeleton() {
  return (
    <div aria-hidden="true">
      {[92, 86, 95, 40, 0, 90, 84, 60].map((width, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a skeleton have no names
        <p key={row}>{width > 0 ? <Skeleton width={`${width}%`} height={16} /> : <Skeleton height={120} />}</p>
      ))}
    </div>
  );
}

function DocNotFound({ slug }: { slug: string }) {
  return (
    <DocsLayout>
      <h1 className="h1">{t`Not found`}</h1>
      <p className="lede mt-4 user-text">
        <Trans>There is no page “{slug}” in the docs. The navigation and the search list them all.</Trans>
      </p>
      <p className="mt-6">
        <Link className="btn" to="/docs/quickstart">
          {t`Start at the beginning`}
        </Link>
      </p>
    </DocsLayout>
  );
}

function AdjacentPages({ position }: { position: number }) {
  const previous = DOCS[position - 1];
  const next = DOCS[position + 1];
  return (
    <AdjacentLinks label={t`Previous and next page`}>
      {previous ? (
        <Link to={`/docs/${previous.slug}`} rel="prev">
          <span className="tiny faint">{t`Previous`}</span>
          {previous.meta.title}
        </Link>
      ) : (
        <span />
      )}
      {next ? (
        <Link to={`/docs/${next.slug}`} rel="next">
          <span className="tiny faint">{t`Next`}</span>
          {next.meta.title}
        </Link>
      ) : (
        <Link to="/docs/api" rel="next">
          <span className="tiny faint">{t`Next`}</span>
          {t`API reference`}
        </Link>
      )}
    </AdjacentLinks>
  );
}
