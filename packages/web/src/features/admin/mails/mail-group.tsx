import type { Language, MailTemplateSummary } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useId } from "react";
import { Link } from "react-router-dom";
import { type Column, ListTable } from "#/components/list/list-table.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { describeWords } from "./labels.ts";
import styles from "./mail-group.module.css";

const createColumns = (language: Language): Column<MailTemplateSummary>[] => [
  {
    header: t`Mail`,
    cell: ({ name, title, description }) => (
      <>
        <Link className="strong" to={adminPaths.mail(name, language)}>
          {title}
        </Link>
        <div className="small faint measure">{description}</div>
      </>
    ),
  },
  {
    header: t`Words`,
    className: styles.words ?? "",
    cell: (mail) => {
      const { tier, label } = describeWords(mail);
      return (
        <span className="small">
          <StateBadge tier={tier}>{label}</StateBadge>
        </span>
      );
    },
  },
  {
    header: t`Changed`,
    className: styles.changed ?? "",
    hideWhenNarrow: true,
    cell: ({ edited_at, edited_by }) => (
      <>
        <RelativeTime date={edited_at} emptyText="–" />
        {edited_by ? <div className="small faint user-text">{edited_by}</div> : null}
      </>
    ),
  },
];

type Props = { title: string; mails: readonly MailTemplateSummary[]; language: Language };

/** The mails of one group, with their state in a language. */
export function MailGroup({ title, mails, language }: Props) {
  const id = useId();
  return (
    <section className="mt-6" aria-labelledby={id}>
      <h2 className="h4" id={id}>
        {title}
      </h2>
      <ListTable caption={title} columns={createColumns(language)} items={mails} idOf={({ name }) => name} />
    </section>
  );
}
