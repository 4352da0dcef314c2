import { isNotFound } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { MailEditor } from "#/features/admin/mails/mail-editor.tsx";
import { NoMailServerNote } from "#/features/admin/mails/no-mail-server-note.tsx";
import { mailTemplateQuery } from "#/features/admin/mails/queries.ts";
import { TemplateNotes } from "#/features/admin/mails/template-notes.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";

/** Edits the words of one mail. */
export default function AdminMailPage() {
  const { name = "" } = useParams();
  const query = useQuery(mailTemplateQuery(name));
  const { data: template } = query;
  if (isNotFound(query.error)) return <ErrorView error={{ statusCode: 404, message: t`There is no mail ${name}.` }} />;
  return (
    <>
      <PageHeader
        title={template?.title ?? name}
        description={template?.description}
        parentPage={{ label: t`Mails`, to: adminPaths.mails }}
      />
      {template?.edited_at ? (
        <p className="small muted mt-2 user-text">
          {template.is_edited ? t`Edited` : t`Reset`} <RelativeTime date={template.edited_at} />
          {template.edited_by === null ? null : `, ${template.edited_by}`}
        </p>
      ) : null}
      <NoMailServerNote />
      <Loaded subject={t`the mail`} query={query}>
        {(loaded) => (
          <>
            <TemplateNotes template={loaded} />
            <MailEditor key={loaded.name} template={loaded} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { params }: PageLocation): Promise<void> =>
  client.prefetchQuery(mailTemplateQuery(params.name ?? ""));
