import { can, type OrganizationMember, type ToolCallRecord, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { type Column, ListTable } from "#/components/list/list-table.tsx";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Pager } from "#/components/ui/lists/pager.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/entities/session/user.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { membersQuery } from "#/features/organization/queries.ts";
import { CallableTools } from "#/features/tool-servers/callable-tools.tsx";
import { toolServersQuery } from "#/features/tool-servers/owner.ts";
import { toolCallsQuery } from "#/features/tool-servers/tool-calls-query.ts";
import { ToolServers } from "#/features/tool-servers/tool-servers.tsx";
import { formatCount } from "#/lib/format.ts";
import { queries } from "#/lib/queries.ts";

/** The servers of tools of the organization for its admins, the tools that they may call for others, and the calls. */
export default function OrganizationToolsPage() {
  const { user } = useUser();
  if (!user) return null;
  const up = { label: t`Organization`, to: paths.organization };
  return (
    <>
      {mayManageTools(user) ? (
        <ToolServers
          owner="organization"
          renderHeader={(action) => (
            <PageHeader
              title={t`Tools`}
              action={action}
              parentPage={up}
              description={t`Servers whose tools the members of your organization can call: in chats, from programs, and with clients of the Model Context Protocol.`}
            />
          )}
        />
      ) : (
        <>
          <PageHeader title={t`Tools`} parentPage={up} description={t`What models in your chats, and you, can call.`} />
          <p className="mb-5">
            <Link className="link" to={paths.docs("tools")}>
              {t`How tools are registered and called`}
            </Link>
          </p>
          {mayCallTools(user) ? <CallableTools /> : <NoTools />}
        </>
      )}
      <ToolCallsSection />
    </>
  );
}

function NoTools() {
  return (
    <EmptyState
      title={t`Admins of the organization manage its tools`}
      action={
        <Link className="btn" to={paths.organizationRoles}>
          {t`What each role may do`}
        </Link>
      }
    >
      {t`Members whose role may call models can call them. Ask one of the admins.`}
    </EmptyState>
  );
}

/** The calls of the organization's members to tools, newest first. */
function ToolCallsSection() {
  const [page, setPage] = useState(1);
  const calls = useQuery(toolCallsQuery(page));
  const members = useQuery(membersQuery).data?.items ?? [];
  return (
    <section className="mt-8" aria-labelledby="tool-calls">
      <h2 id="tool-calls" className="h3 mb-4">{t`Calls`}</h2>
      <Loaded subject={t`the calls to tools`} query={calls}>
        {({ items, pagination }) =>
          items.length === 0 ? (
            <p className="muted">{t`No tool was called yet.`}</p>
          ) : (
            <>
              <ListTable caption={t`Calls to tools`} columns={createColumns(members)} items={items} idOf={getId} />
              {pagination.total_pages > 1 ? <Pager {...pagination} label={t`Calls`} goToPage={setPage} /> : null}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

const getId = ({ id }: ToolCallRecord): string => id;

/** Returns the columns. Callers who are no members any more are shown by their id. */
const createColumns = (members: readonly OrganizationMember[]): readonly Column<ToolCallRecord>[] => [
  { header: t`Time`, cell: ({ started_at }) => <RelativeTime date={started_at} />, hideWhenNarrow: true },
  {
    header: t`Who`,
    cell: ({ user_id }) => {
      if (user_id === null) return <span className="muted">{t`Somebody who is gone`}</span>;
      return <bdi>{members.find((member) => member.user_id === user_id)?.name ?? user_id}</bdi>;
    },
  },
  {
    header: t`Tool`,
    cell: ({ server, tool }) => <span className="mono small user-text">{`${server}__${tool}`}</span>,
  },
  {
    header: t`Milliseconds`,
    cell: ({ duration_ms }) => formatCount(duration_ms),
    isNumeric: true,
    hideWhenNarrow: true,
  },
  { header: t`Result`, cell: ({ outcome }) => <Outcome outcome={outcome} /> },
];

function Outcome({ outcome }: Pick<ToolCallRecord, "outcome">) {
  if (outcome === "completed") return <StateBadge tier="good">{t`answered`}</StateBadge>;
  if (outcome === "tool_error") return <StateBadge tier="loading">{t`error of the tool`}</StateBadge>;
  return <StateBadge tier="bad">{t`server failed`}</StateBadge>;
}

const mayManageTools = (user: User): boolean => can(user, "manage_organization") && !user.impersonated_by;
const mayCallTools = (user: User): boolean => can(user, "call_models") && !user.impersonated_by;

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient, _: PageLocation, user: User | null): Promise<void> {
  if (user === null) return;
  await Promise.all([
    client.prefetchQuery(toolCallsQuery(1)),
    client.prefetchQuery(membersQuery),
    mayManageTools(user) && client.prefetchQuery(toolServersQuery("organization")),
    !mayManageTools(user) && mayCallTools(user) && client.prefetchQuery(queries.tools.list.queryOptions()),
  ]);
}
