import type { PlatformInvitation } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { keepPreviousData, type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PageLocation } from "#/app/page-module.ts";
import { ListPage } from "#/components/list/list-page.tsx";
import { readList } from "#/components/list/list-params.ts";
import type { Column } from "#/components/list/list-table.tsx";
import { useListState } from "#/components/list/use-list-state.ts";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { createMenuColumn } from "#/features/admin/row-menu.tsx";
import { InviteDialog } from "#/features/admin/users/invite-dialog.tsx";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { siteConfigQuery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";

const COLUMNS: Column<PlatformInvitation>[] = [
  { header: t`E-mail`, cell: ({ email }) => <span className="user-text">{email}</span> },
  {
    header: t`Invited by`,
    cell: ({ invited_by }) => <span className="muted user-text">{invited_by.name}</span>,
    hideWhenNarrow: true,
  },
  { header: t`Sent`, cell: ({ created_at }) => <RelativeTime date={created_at} />, hideWhenNarrow: true },
  {
    header: t`Ends`,
    cell: ({ expires_at }) =>
      expires_at.getTime() > Date.now() ? (
        <RelativeTime date={expires_at} />
      ) : (
        <StateBadge tier="offline">{t`has ended`}</StateBadge>
      ),
  },
];

const invitationsQuery = (page: number) =>
  queryOptions({
    ...queries.admin.invitations.list.queryOptions({ page, perPage: 50 }),
    placeholderData: keepPreviousData,
  });

/** Pending invitations to the platform, with a form to invite someone. */
export default function AdminInvitationsPage() {
  const list = useListState([]);
  const [inviting, setInviting] = useState(false);
  const withdrawal = useAction(({ id }: PlatformInvitation) => feather.admin.invitations.delete(id), {
    success: (_, { email }) => t`${email} is no longer invited`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const mode = useQuery(siteConfigQuery).data?.registration;
  const invitations = useQuery(invitationsQuery(list.page));
  const invite = (
    <button type="button" className="btn primary" disabled={mode === "off"} onClick={() => setInviting(true)}>
      {t`Invite somebody`}
    </button>
  );
  const actionsOf = (invitation: PlatformInvitation) => [
    {
      label: t`Withdraw`,
      destructive: true,
      run: () => void withdrawal.run(invitation),
    },
  ];
  return (
    <>
      <ListPage
        title={t`Invitations`}
        description={describeMode(mode)}
        parentPage={{ label: t`Users`, to: adminPaths.users }}
        action={invite}
        list={list}
        query={invitations}
        columns={[...COLUMNS, createMenuColumn((invitation: PlatformInvitation) => invitation.email, actionsOf)]}
        idOf={({ id }) => id}
        nameOf={({ email }) => email}
        empty={{
          title: t`Nobody is invited`,
          text: t`An invitation lets one address make an account. Used ones leave this list.`,
          action: invite,
        }}
      />
      <InviteDialog open={inviting} close={() => setInviting(false)} />
    </>
  );
}

/** Returns a sentence on what an invitation means in a registration mode (FEATHER_REGISTRATION). */
function describeMode(mode: string | undefined): string {
  if (mode === "off") return t`Sign-up is off (FEATHER_REGISTRATION): nobody can make an account, invited or not.`;
  if (mode === "invite") return t`Accounts are made by invitation (FEATHER_REGISTRATION).`;
  if (mode === "approve")
    return t`Admins let new accounts in (FEATHER_REGISTRATION). Those you invite here are let in at once.`;
  return t`Everybody may make an account (FEATHER_REGISTRATION). An invitation brings somebody here.`;
}

/** Loads what the page reads first. */
export function prefetch(client: QueryClient, { search }: PageLocation): Promise<void> {
  const { page } = readList(search, []);
  return client.prefetchQuery(invitationsQuery(page));
}
