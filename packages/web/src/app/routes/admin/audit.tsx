import type { AuditEntry, Query } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PageLocation } from "#/app/page-module.ts";
import { ListPage } from "#/components/list/list-page.tsx";
import { type Filter, type ListValues, readList } from "#/components/list/list-params.ts";
import type { Column } from "#/components/list/list-table.tsx";
import { useListState } from "#/components/list/use-list-state.ts";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import styles from "#/features/admin/admin.module.css";
import { Id } from "#/features/admin/id.tsx";
import { LinkedName } from "#/features/admin/linked-name.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { auditQuery } from "#/features/admin/system/queries.ts";
import { describeDenial } from "#/features/organization/audit-labels.ts";

const ACTION = /^[a-z0-9_]+([.][a-z0-9_]+)*$/;
const FILTERS: readonly Filter[] = [
  { name: "action", label: t`Action`, kind: "search", placeholder: t`api_keys.create, or api_keys for all of a kind` },
  { name: "actor_id", label: t`Done by`, kind: "text", placeholder: "usr_…" },
  { name: "target", label: t`Done to`, kind: "text", placeholder: t`Any id` },
  { name: "organization_id", label: t`Organization`, kind: "text", placeholder: "org_…" },
  {
    name: "impersonated",
    label: t`Acting as`,
    kind: "choice",
    options: [
      { value: "true", label: t`Somebody else` },
      { value: "false", label: t`Oneself` },
    ],
  },
  { name: "from_date", until: "to_date", label: t`Period`, kind: "period" },
];

const columnsOf = (open: (entry: AuditEntry) => void): Column<AuditEntry>[] => [
  { header: t`Time`, cell: (entry) => <RelativeTime date={entry.created_at} /> },
  {
    header: t`Action`,
    cell: (entry) => (
      <>
        <div className="mono">{entry.action}</div>
        {entry.action === "access.denied" ? <div className="small muted">{describeDenial(entry.details)}</div> : null}
        <div className="small muted narrow-only">
          <bdi>{entry.actor?.name ?? entry.actor_id ?? "–"}</bdi>
        </div>
        {entry.target ? <Target id={entry.target} name={entry.target_name} /> : null}
      </>
    ),
  },
  {
    header: t`Done by`,
    cell: (entry) => (
      <>
        {entry.action === "auth.login_failed" ? (
          <span className="muted">{t`somebody unknown`}</span>
        ) : (
          <Person id={entry.actor_id} user={entry.actor} />
        )}
        {entry.subject_id ? (
          <div className="small">
            {t`as`} <Person id={entry.subject_id} user={entry.subject} />
          </div>
        ) : null}
      </>
    ),
    hideWhenNarrow: true,
  },
  {
    header: t`Organization`,
    cell: ({ organization, organization_id }) =>
      organization ? (
        <LinkedName name={organization.name} id={organization.id} to={`?organization_id=${organization.id}`} />
      ) : organization_id ? (
        <Id>{organization_id}</Id>
      ) : (
        <span className="faint">–</span>
      ),
    hideWhenNarrow: true,
  },
  {
    header: t`Address`,
    cell: (entry) => <span className="mono small muted whitespace-nowrap">{entry.ip ?? "–"}</span>,
    hideWhenNarrow: true,
  },
  {
    header: t`Row`,
    cell: (entry) => (
      <button
        type="button"
        className="link num whitespace-nowrap"
        onClick={() => open(entry)}
        aria-label={t`Open row ${entry.id}`}
      >
        {entry.id}
      </button>
    ),
  },
];

function Person({ id, user }: { id: string | null; user: AuditEntry["actor"] }) {
  if (id === null) return <span className="muted">{t`the platform`}</span>;
  if (user === null) return <Id>{id}</Id>;
  return <LinkedName name={user.name} id={user.id} detail={user.email} to={adminPaths.user(user.id)} />;
}

function Target({ id, name }: { id: string; name: string | null }) {
  return name === null ? <Id>{id}</Id> : <LinkedName name={name} id={id} to={linkOf(id)} />;
}

/** Returns the link for an id: the page of a user, otherwise the log filtered by the id. */
function linkOf(id: string): string {
  return id.startsWith("usr_") ? adminPaths.user(id) : `?target=${encodeURIComponent(id)}`;
}

function toQuery({ values: { impersonated, action, ...rest }, page }: ListValues): Query<"admin.audit"> {
  return {
    ...rest,
    page,
    perPage: 50,
    ...(action && ACTION.test(action) && { action }),
    ...(impersonated && { impersonated: impersonated === "true" }),
  } as Query<"admin.audit">;
}

/** The audit log of the platform, with filters; a row opens with all its data. */
export default function AdminAuditPage() {
  const list = useListState(FILTERS);
  const { action } = list.values;
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  const entries = useQuery(auditQuery(toQuery(list)));
  return (
    <ListPage
      title={t`Audit log`}
      description={
        <Trans>
          Who did what, newest first. Each row holds a hash over itself and the row before;{" "}
          <code className="mono">npx node packages/server/src/commands/verify-audit.ts</code> checks the chain.
        </Trans>
      }
      list={list}
      query={entries}
      columns={columnsOf(setOpened)}
      idOf={({ id }) => String(id)}
      empty={{
        title: t`Nothing was done yet`,
        text: t`Whatever people and admins change, and what they were refused, stands here from now on.`,
      }}
    >
      {action !== undefined && !ACTION.test(action) ? (
        <p className="notice mb-4" role="alert">
          {t`Action is not valid: small letters, digits and _, with dots between, such as api_keys.create.`}
        </p>
      ) : null}
      <EntryDialog entry={opened} close={() => setOpened(null)} />
    </ListPage>
  );
}

/** A dialog with all data of an entry, including the hash that chains it to the previous one. */
function EntryDialog({ entry, close }: { entry: AuditEntry | null; close(): void }) {
  const text = entry ? JSON.stringify(entry, null, 2) : "";
  return (
    <Dialog open={entry !== null} onClose={close} title={t`Row ${entry?.id ?? ""}`} description={entry?.action}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long row can be scrolled by keyboard */}
      <pre className={styles.raw} tabIndex={0}>
        {text}
      </pre>
      <div className="actions">
        <CopyButton text={text} label={t`Copy`} className="btn" />
        <button type="button" className="btn" onClick={close}>
          {t`Close`}
        </button>
      </div>
    </Dialog>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { search }: PageLocation): Promise<void> =>
  client.prefetchQuery(auditQuery(toQuery(readList(search, FILTERS))));
