import { can, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { BulkButton } from "#/components/list/bulk/bulk-button.tsx";
import { BulkResults } from "#/components/list/bulk/bulk-results.tsx";
import { useSelection } from "#/components/list/bulk/selection.ts";
import { ExportButton } from "#/components/list/export-button.tsx";
import { List } from "#/components/list/list.tsx";
import { takePage, toAsync } from "#/components/list/take-page.ts";
import { useListState } from "#/components/list/use-list-state.ts";
import { membersQuery } from "../queries.ts";
import { createMemberColumns, MEMBER_FILE_COLUMNS } from "./member-columns.tsx";
import { arrangeMembers, MEMBER_FILTERS } from "./member-filters.ts";
import { useMemberActions, useMemberRemoval } from "./use-member-actions.ts";

/** The members of the organization with their roles: searched, sorted, as a file, and several removed at once. */
export function MembersSection({ user, action }: { user: User; action: ReactNode }) {
  const members = useQuery(membersQuery);
  const list = useListState(MEMBER_FILTERS);
  const selection = useSelection();
  const { change, remove } = useMemberActions(user);
  const canManage = can(user, "manage_members") && !user.impersonated_by;
  const all = members.data?.items;
  const removal = useMemberRemoval(user, all ?? [], selection);
  const fitting = useMemo(() => all && arrangeMembers(all, list.values), [all, list.values]);
  const rows = { ...members, data: fitting && takePage(fitting, list.page), isPlaceholderData: false };
  return (
    <section aria-labelledby="members">
      <div className="row between wrapping mt-5">
        <h2 className="h4" id="members">
          {t`Members`}
        </h2>
        {action}
      </div>
      <List
        title={t`Members`}
        list={list}
        query={rows}
        columns={createMemberColumns({ user, canManage, change, remove })}
        idOf={({ user_id }) => user_id}
        nameOf={({ name }) => name}
        tools={
          <ExportButton
            label={t`Export members as CSV`}
            file="members.csv"
            total={fitting?.length ?? 0}
            rows={() => toAsync(fitting ?? [])}
            idOf={({ user_id }) => user_id}
            columns={MEMBER_FILE_COLUMNS}
          />
        }
        {...(canManage && { selection })}
        selectionActions={
          <BulkButton label={t`Remove`} ids={selection.ids.filter((id) => id !== user.id)} bulkAction={removal} />
        }
        empty={{ title: t`No members`, text: "" }}
      >
        {removal.results ? (
          <BulkResults
            title={t`Remove`}
            doneLabel={t`is removed`}
            results={removal.results}
            nameOf={(id) => removal.names.get(id) ?? id}
            close={removal.clearResults}
          />
        ) : null}
      </List>
    </section>
  );
}
