import { info, tags } from "virtual:contract/calls";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { CodeBlock } from "#/components/ui/code/code-block.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { Content } from "#/features/content/content.tsx";
import { DocsLayout } from "#/features/content/docs/docs-layout.tsx";
import { ContentLoadError } from "#/features/content/load-error.tsx";
import { useHashScroll } from "#/features/content/use-hash-scroll.ts";
import { usePageHead } from "#/features/content/use-page-head.ts";
import { useOrigin } from "#/lib/browser/use-origin.ts";
import styles from "../content.module.css";
import { PageHeader } from "../page-header.tsx";
import { InlineText } from "./inline-text.tsx";
import { OperationView } from "./operation-view.tsx";
import { tagQuery } from "./queries.ts";
import type { OperationEntry } from "./types.ts";

/** The API reference, rendered from the contract: an overview and a page for each tag. */
export function ReferenceView({ tag }: { tag: string }) {
  return tag === "" ? <Overview /> : <TagPage slug={tag} />;
}

function Overview() {
  const origin = useOrigin();
  usePageHead(t`API reference`, t`Every call of the platform, from the document that describes them.`);
  useHashScroll(true);
  const calls = tags.reduce((sum, { operations }) => sum + operations.length, 0);
  return (
    <DocsLayout>
      <article>
        <PageHeader
          above={<Trans>Version {info.version}</Trans>}
          title={t`API reference`}
          intro={
            <Trans>
              {calls} calls in {tags.length} groups. This reference, the SDK and the server’s routes come from one
              OpenAPI document.
            </Trans>
          }
        />
        <div className={styles.docBody}>
          <CodeBlock samples={[{ name: "", lang: "bash", code: `curl ${origin}/api/openapi.json -o openapi.json` }]} />
          <Content nodes={info.body} />
        </div>
        {tags.map(({ name, slug, description, operations }) => (
          <section key={slug} className="mt-8">
            <h2 className="h3">
              <Link to={`/docs/api/${slug}`}>{name}</Link>
            </h2>
            <p className="muted mt-2">
              <InlineText text={description} />
            </p>
            <OperationList slug={slug} operations={operations} />
          </section>
        ))}
      </article>
    </DocsLayout>
  );
}

function OperationList({ slug, operations }: { slug: string; operations: readonly OperationEntry[] }) {
  return (
    <table className={`${styles.operationList} mt-3`}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t`Call`}</th>
          <th scope="col">{t`Method and path`}</th>
        </tr>
      </thead>
      <tbody>
        {operations.map(({ id, method, path, summary }) => (
          <tr key={id}>
            <td>
              <Link className="link" to={`/docs/api/${slug}#${id}`}>
                {summary}
              </Link>
            </td>
            <td className="mono tiny">
              <span className={`${styles.method} ${method.toLowerCase()}`}>{method}</span> {path}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function TagPage({ slug }: { slug: string }) {
  const tag = tags.find((candidate) => candidate.slug === slug);
  const { data, isError, refetch } = useQuery({ ...tagQuery(slug), enabled: tag !== undefined });
  usePageHead(tag ? t`${tag.name} API` : t`No such page`, tag?.description);
  useHashScroll(data !== undefined && data !== null);
  if (!tag)
    return (
      <DocsLayout>
        <h1 className="h1">{t`Not found`}</h1>
        <p className="lede mt-4 user-text">
          <Trans>The contract has no group of calls named “{slug}”.</Trans>
        </p>
        <p className="mt-6">
          <Link className="btn" to="/docs/api">
            {t`All calls`}
          </Link>
        </p>
      </DocsLayout>
    );
  return (
    <DocsLayout isWide>
      <PageHeader
        above={<Link to="/docs/api">{t`API reference`}</Link>}
        title={tag.name}
        intro={<InlineText text={tag.description} />}
      />
      <OperationList slug={slug} operations={tag.operations} />
      {isError ? (
        <ContentLoadError retry={() => void refetch()} />
      ) : data ? (
        data.operations.map((placed) => (
          <OperationView key={placed.operation.operationId} entry={placed} components={data.components} />
        ))
      ) : (
        <div className="mt-8">
          <Skeleton height={480} />
        </div>
      )}
    </DocsLayout>
  );
}
