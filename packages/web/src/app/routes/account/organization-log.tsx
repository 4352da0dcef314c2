import type { AuditEntry, OrganizationMember, Query, User } from "@feather/sdk";
import { can } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { ListPage } from "#/components/list/list-page.tsx";
import { type Filter, type ListValues, readList } from "#/components/list/list-params.ts";
import type { Column } from "#/components/list/list-table.tsx";
import { useListState } from "#/components/list/use-list-state.ts";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/entities/session/user.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { ACTION_FILTERS, describeDetails, getActionLabel } from "#/features/organization/audit-labels.ts";
import { auditQuery, membersQuery } from "#/features/organization/queries.ts";

const COLUMNS: readonly Column<AuditEntry>[] = [
  { header: t`Time`, cell: ({ created_at }) => <RelativeTime date={created_at} /> },
  {
    header: t`Who and what`,
    cell: (entry) => (
      <>
        <Actor entry={entry} /> {getActionLabel(entry.action)} <Target entry={entry} />
        <Details entry={entry} />
      </>
    ),
  },
  { header: t`Action`, cell: ({ action }) => <span className="mono small faint">{action}</span>, hideWhenNarrow: true },
  { header: t`Address`, cell: ({ ip }) => <span className="mono small muted">{ip ?? "–"}</span>, hideWhenNarrow: true },
];

/** The audit log of the organization, for its admins. */
export default function OrganizationLogPage() {
  const { user } = useUser();
  if (!user) return null;
  const up = { label: t`Organization`, to: paths.organization };
  if (!can(user, "manage_organization"))
    return (
      <>
        <PageHeader title={t`Audit log`} parentPage={up} />
        <EmptyState
          title={t`Admins of the organization read its log`}
          action={
            <Link className="btn" to={paths.organizationRoles}>
              {t`What each role may do`}
            </Link>
          }
        >
          {t`It tells who changed keys, people, plan and deployments. Ask one of the admins.`}
        </EmptyState>
      </>
    );
  return <Log up={up} organization={user.organization.name} />;
}

const toAuditQuery = ({ values, page }: ListValues) =>
  ({ ...values, page, perPage: 50 }) as Query<"organization.audit">;

const createFilters = (members: readonly OrganizationMember[]): readonly Filter[] => [
  { name: "action", label: t`Kind`, kind: "choice", options: ACTION_FILTERS },
  {
    name: "actor_id",
    label: t`Member`,
    kind: "choice",
    options: members.map(({ user_id, name, email }) => ({ value: user_id, label: `${name} (${email})` })),
  },
  { name: "from_date", until: "to_date", label: t`Period`, kind: "period" },
];

function Log({ up, organization }: { up: { label: string; to: string }; organization: string }) {
  const members = useQuery(membersQuery).data?.items ?? [];
  const list = useListState(createFilters(members));
  const entries = useQuery(auditQuery(toAuditQuery(list)));
  return (
    <ListPage
      title={t`Audit log`}
      parentPage={up}
      description={t`Who did what for ${organization}, newest first. Nobody can change or delete what stands here.`}
      list={list}
      query={entries}
      columns={COLUMNS}
      idOf={({ id }) => String(id)}
      empty={{
        title: t`Nothing was done yet`,
        text: t`Whatever members change stands here from now on: keys, people, plan and deployments.`,
      }}
    />
  );
}

function Actor({ entry: { actor, actor_id, subject } }: { entry: AuditEntry }) {
  if (subject)
    return (
      <span className="muted">
        {t`An admin of the platform, as`} <bdi>{subject.name}</bdi>,
      </span>
    );
  if (actor === null)
    return <span className="muted">{actor_id === null ? t`The platform` : t`Somebody who is gone`}</span>;
  return (
    <strong title={actor.email}>
      <bdi>{actor.name}</bdi>
    </strong>
  );
}

/** The name of the target of an entry; nothing if users acted on themselves. The id of a model serves as its name. */
function Target({ entry: { target, target_name, actor_id } }: { entry: AuditEntry }) {
  const name = target_name ?? (target?.includes("/") ? target : null);
  if (name === null || target === actor_id) return null;
  return (
    <strong title={target ?? undefined}>
      <bdi>{name}</bdi>
    </strong>
  );
}

function Details({ entry: { details, target_name } }: { entry: AuditEntry }) {
  const text = describeDetails(details, target_name);
  return text === "" ? null : (
    <div className="small faint user-text" dir="auto">
      {text}
    </div>
  );
}

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient, { search }: PageLocation, user: User | null): Promise<void> {
  if (user === null || !can(user, "manage_organization")) return;
  await Promise.all([
    client.prefetchQuery(membersQuery),
    client.prefetchQuery(auditQuery(toAuditQuery(readList(search, createFilters([]))))),
  ]);
}
