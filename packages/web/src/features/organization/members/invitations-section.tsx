import type { Invitation } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { BulkButton } from "#/components/list/bulk/bulk-button.tsx";
import { BulkResults } from "#/components/list/bulk/bulk-results.tsx";
import { runForEach } from "#/components/list/bulk/run-for-each.ts";
import { useSelection } from "#/components/list/bulk/selection.ts";
import { useBulkAction } from "#/components/list/bulk/use-bulk-action.ts";
import { List } from "#/components/list/list.tsx";
import type { Filter, FilterValues } from "#/components/list/list-params.ts";
import type { Column } from "#/components/list/list-table.tsx";
import { containsText, takePage } from "#/components/list/take-page.ts";
import { useListState } from "#/components/list/use-list-state.ts";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { feather } from "#/lib/feather.ts";
import { formatIsoDay, formatRelativeTime } from "#/lib/format.ts";
import { queries } from "#/lib/queries.ts";
import { useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";
import { invitationsQuery } from "../queries.ts";
import { getRoleLabel, ROLE_OPTIONS } from "../roles.ts";
import { InvitationLink } from "./invitation-link.tsx";
import { InviteButton } from "./invite-button.tsx";
import { describeInvited } from "./invite-dialog.tsx";

const FILTERS: readonly Filter[] = [
  { name: "search", label: t`Search`, kind: "search", placeholder: t`Part of an e-mail` },
  { name: "role", label: t`Role`, kind: "choice", options: ROLE_OPTIONS },
  {
    name: "link",
    label: t`Link`,
    kind: "choice",
    options: [
      { value: "open", label: t`is open` },
      { value: "ended", label: t`has ended` },
    ],
  },
];

/** The open invitations of the organization: searched, sent again, and several withdrawn at once. Visible to admins only. */
export function InvitationsSection() {
  const invitations = useQuery(invitationsQuery);
  const list = useListState(FILTERS);
  const selection = useSelection();
  const sendsMail = useMailDelivery();
  const [invited, setInvited] = useState<Invitation | null>(null);
  const { resend, withdraw } = useInvitationActions(setInvited);
  const bulk = useBulkAction(
    (ids) => runForEach(ids, (id) => feather.organization.invitations.delete(id)),
    [queries.organization.key()],
    selection,
  );
  const all = invitations.data?.items;
  const fitting = useMemo(() => all?.filter((invitation) => fits(invitation, list.values)), [all, list.values]);
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const withdrawAll = (ids: readonly string[]) => {
    setNames(new Map(all?.map(({ id, email }) => [id, email])));
    bulk.run(ids);
  };
  return (
    <section className="mt-5" aria-labelledby="invitations">
      <div className="row between wrapping">
        <h2 className="h4" id="invitations">
          {t`Invitations`}
        </h2>
        <InviteButton />
      </div>
      <List
        title={t`Invitations`}
        list={list}
        query={{ ...invitations, data: fitting && takePage(fitting, list.page), isPlaceholderData: false }}
        columns={createColumns({ sendsMail, resend, withdraw })}
        idOf={({ id }) => id}
        nameOf={({ email }) => email}
        selection={selection}
        selectionActions={
          <BulkButton label={t`Withdraw`} ids={selection.ids} bulkAction={{ ...bulk, run: withdrawAll }} />
        }
        empty={{
          title: t`No invitation is open`,
          text: t`Whoever you invite shares this organization's plan, keys, usage and deployments.`,
        }}
      >
        {bulk.results ? (
          <BulkResults
            title={t`Withdraw`}
            doneLabel={t`is withdrawn`}
            results={bulk.results}
            nameOf={(id) => names.get(id) ?? id}
            close={bulk.clearResults}
          />
        ) : null}
      </List>
      <InvitationLink invited={invited} close={() => setInvited(null)} />
    </section>
  );
}

function fits({ email, role, expires_at }: Invitation, values: FilterValues): boolean {
  const state = expires_at.getTime() < Date.now() ? "ended" : "open";
  return (
    containsText([email], values.search) &&
    (values.role === undefined || values.role === role) &&
    (values.link === undefined || values.link === state)
  );
}

type ColumnOptions = {
  sendsMail: boolean;
  resend(invitation: Invitation): void;
  withdraw(invitation: Invitation): void;
};

function createColumns({ sendsMail, resend, withdraw }: ColumnOptions): Column<Invitation>[] {
  return [
    { header: t`E-mail`, cell: ({ email }) => <span className="user-text">{email}</span> },
    { header: t`Role`, cell: ({ role }) => getRoleLabel(role) },
    {
      header: t`Sent`,
      cell: ({ sent_at }) => <span className="muted">{sendsMail ? formatRelativeTime(sent_at) : t`not sent`}</span>,
      hideWhenNarrow: true,
    },
    { header: t`Link`, cell: ({ expires_at }) => <LinkState endsAt={expires_at} />, hideWhenNarrow: true },
    {
      header: <span className="visually-hidden">{t`Actions`}</span>,
      cell: (invitation) => (
        <>
          <button
            type="button"
            className="btn ghost"
            aria-label={sendsMail ? t`Send again to ${invitation.email}` : t`New link for ${invitation.email}`}
            onClick={() => resend(invitation)}
          >
            {sendsMail ? t`Send again` : t`New link`}
          </button>
          <button
            type="button"
            className="btn ghost"
            aria-label={t`Withdraw the invitation of ${invitation.email}`}
            onClick={() => withdraw(invitation)}
          >
            {t`Withdraw`}
          </button>
        </>
      ),
      className: "end",
    },
  ];
}

/** Returns the actions on one invitation. They tell their outcome in a toast, and `setInvited` gets a link to pass on. */
function useInvitationActions(setInvited: (invitation: Invitation) => void) {
  const invite = useAction(({ email, role }: Invitation) => feather.organization.invitations.create({ email, role }), {
    success: describeInvited,
    onSuccess: setInvited,
    invalidates: [queries.organization.key()],
  });
  const resend = useAction(({ id }: Invitation) => feather.organization.invitations.resend(id), {
    success: describeInvited,
    onSuccess: setInvited,
    invalidates: [queries.organization.key()],
  });
  const withdraw = useAction(({ id }: Invitation) => feather.organization.invitations.delete(id), {
    success: (_, { email }) => t`The invitation of ${email} is withdrawn`,
    undo: (_, invitation) => () => void invite.run(invitation),
    undoLabel: t`Invite again`,
    invalidates: [queries.organization.key()],
  });
  return {
    resend: (invitation: Invitation) => void resend.run(invitation),
    withdraw: (invitation: Invitation) => void withdraw.run(invitation),
  };
}

function LinkState({ endsAt }: { endsAt: Date }) {
  return endsAt.getTime() < Date.now() ? (
    <StateBadge tier="offline">{t`has ended`}</StateBadge>
  ) : (
    <StateBadge tier="good">{t`ends ${formatIsoDay(endsAt)}`}</StateBadge>
  );
}
