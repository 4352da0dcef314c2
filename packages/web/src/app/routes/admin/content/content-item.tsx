import { isNotFound } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { ContentEditor } from "#/features/admin/content/content-editor.tsx";
import { SOURCES, STATES, toSitePath } from "#/features/admin/content/labels.ts";
import { type ContentKind, contentItemQuery } from "#/features/admin/content/queries.ts";
import { adminPaths } from "#/features/admin/paths.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { MarkdownPreview } from "#/features/content/markdown-preview.tsx";

const toKind = (kind = ""): ContentKind | null => (kind === "post" || kind === "page" ? kind : null);
const preview = (text: string) => <MarkdownPreview text={text} />;

/** Edits a post or page; a new one if there is none at its address. */
export default function AdminContentItemPage() {
  const { kind: name, slug = "" } = useParams();
  const kind = toKind(name);
  const query = useQuery({ ...contentItemQuery(kind ?? "post", slug), enabled: kind !== null });
  if (kind === null) return <ErrorView error={{ statusCode: 404 }} />;
  const item = query.data;
  const isNew = isNotFound(query.error);
  const path = toSitePath({ kind, slug });
  return (
    <>
      <PageHeader
        title={item?.title ?? (isNew ? (kind === "post" ? t`New post` : t`New page`) : slug)}
        description={path}
        parentPage={{ label: t`Content`, to: adminPaths.content }}
      />
      {item ? (
        <p className="small muted mt-2 user-text">
          {SOURCES[item.source]} · {STATES[item.state].label}
          {item.edited_at === null ? null : (
            <>
              {" · "}
              <RelativeTime date={item.edited_at} />
              {item.edited_by === null ? null : `, ${item.edited_by}`}
            </>
          )}
          {item.state === "published" ? (
            <>
              {" · "}
              <Link to={path}>{t`Open it`}</Link>
            </>
          ) : null}
        </p>
      ) : null}
      {item && item.source !== "editor" ? (
        <p className="notice mt-4">{t`What you save here takes its place. A draft hides it.`}</p>
      ) : null}
      {isNew ? (
        <ContentEditor key={`new ${path}`} kind={kind} slug={slug} item={null} preview={preview} />
      ) : (
        <Loaded subject={t`the text`} query={query}>
          {(loaded) => <ContentEditor key={path} kind={kind} slug={slug} item={loaded} preview={preview} />}
        </Loaded>
      )}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = async (client: QueryClient, { params }: PageLocation): Promise<void> => {
  const kind = toKind(params.kind);
  if (kind !== null) await client.prefetchQuery(contentItemQuery(kind, params.slug ?? ""));
};
