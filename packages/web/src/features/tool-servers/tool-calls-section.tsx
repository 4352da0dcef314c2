import type { OrganizationMember, ToolCallRecord } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Pager } from "#/components/ui/lists/pager.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { type Column, ListTable } from "#/features/admin/list/list-table.tsx";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { membersQuery } from "#/features/organization/queries.ts";
import { formatCount } from "#/lib/format.ts";
import { toolCallsQuery } from "./tool-calls-query.ts";

/** The calls of the organization's members to tools, newest first. */
export function ToolCallsSection() {
  const [page, setPage] = useState(1);
  const calls = useQuery(toolCallsQuery(page));
  const members = useQuery(membersQuery).data?.items ?? [];
  return (
    <section className="mt-6" aria-labelledby="tool-calls">
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
