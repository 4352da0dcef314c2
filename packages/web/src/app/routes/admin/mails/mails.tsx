import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { FilterBar } from "#/components/list/filter-bar.tsx";
import type { Filter } from "#/components/list/list-params.ts";
import { useListState } from "#/components/list/use-list-state.ts";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { filterMails } from "#/features/admin/mails/filter-mails.ts";
import { MAIL_GROUPS } from "#/features/admin/mails/labels.ts";
import { MAIL_LANGUAGES, toMailLanguage } from "#/features/admin/mails/languages.ts";
import { MailGroup } from "#/features/admin/mails/mail-group.tsx";
import { NoMailServerNote } from "#/features/admin/mails/no-mail-server-note.tsx";
import { mailTemplatesQuery } from "#/features/admin/mails/queries.ts";
import { nameOfLanguage } from "#/i18n/locale.ts";

const FILTERS: readonly Filter[] = [
  { name: "search", label: t`Search`, kind: "search", placeholder: t`Title, or when it is sent` },
  {
    name: "language",
    label: t`Language`,
    kind: "choice",
    options: MAIL_LANGUAGES.filter(({ value }) => value !== "en"),
    emptyLabel: nameOfLanguage("en"),
  },
  { name: "words", label: t`Words`, kind: "choice", options: [{ value: "edited", label: t`Edited` }] },
];

/** The mails that the platform sends, by what they are about. */
export default function AdminMailsPage() {
  const list = useListState(FILTERS);
  const language = toMailLanguage(list.values.language);
  const templates = useQuery(mailTemplatesQuery(language));
  return (
    <>
      <PageHeader
        title={t`Mails`}
        description={t`Every mail that this site sends. Open one to read it with sample values and to change its words.`}
      />
      <NoMailServerNote />
      <FilterBar list={list} />
      <Loaded subject={t`the mails`} query={templates}>
        {({ items }) => {
          const mails = filterMails(items, list.values.search ?? "", list.values.words === "edited");
          if (mails.length === 0)
            return (
              <EmptyState
                title={t`Nothing matches`}
                action={
                  <button type="button" className="btn" onClick={list.clear}>
                    {t`Clear filters`}
                  </button>
                }
              >
                {t`No mail fits these filters.`}
              </EmptyState>
            );
          return MAIL_GROUPS.map(({ group, title }) => {
            const inGroup = mails.filter((mail) => mail.group === group);
            return inGroup.length === 0 ? null : (
              <MailGroup key={group} title={title} mails={inGroup} language={language} />
            );
          });
        }}
      </Loaded>
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<void> => client.prefetchQuery(mailTemplatesQuery("en"));
