import { isNotFound } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useParams, useSearchParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { Select } from "#/components/ui/controls/select.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { MAIL_LANGUAGES, toMailLanguage } from "#/features/admin/mails/languages.ts";
import { MailEditor } from "#/features/admin/mails/mail-editor.tsx";
import { NoMailServerNote } from "#/features/admin/mails/no-mail-server-note.tsx";
import { mailTemplateQuery } from "#/features/admin/mails/queries.ts";
import { TemplateNotes } from "#/features/admin/mails/template-notes.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";

/** Edits the words of one mail. */
export default function AdminMailPage() {
  const { name = "" } = useParams();
  const [search, setSearch] = useSearchParams();
  const language = toMailLanguage(search.get("language"));
  const query = useQuery(mailTemplateQuery(name, language));
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
      <Select
        className="mt-4"
        aria-label={t`Language`}
        value={language}
        options={MAIL_LANGUAGES}
        onChange={(value) => setSearch({ language: value }, { replace: true })}
      />
      <Loaded subject={t`the mail`} query={query}>
        {(loaded) => (
          <>
            <TemplateNotes template={loaded} />
            <MailEditor key={`${loaded.name} ${loaded.language}`} template={loaded} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { params, search }: PageLocation): Promise<void> =>
  client.prefetchQuery(
    mailTemplateQuery(params.name ?? "", toMailLanguage(new URLSearchParams(search).get("language"))),
  );
