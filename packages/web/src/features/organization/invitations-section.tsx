import type { Invitation } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LinkDialog } from "#/components/ui/dialogs/link-dialog.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { feather } from "#/lib/feather.ts";
import { formatRelativeTime } from "#/lib/format.ts";
import { queries } from "#/lib/queries.ts";
import { useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";
import { describeInvited, InviteDialog } from "./invite-dialog.tsx";
import styles from "./organization.module.css";
import { invitationsQuery } from "./queries.ts";
import { getRoleLabel } from "./roles.ts";

/** The open invitations of the organization, with actions. Visible to admins only. */
export function InvitationsSection() {
  const { data, error, refetch } = useQuery(invitationsQuery);
  const [isInviting, setIsInviting] = useState(false);
  const [invited, setInvited] = useState<Invitation | null>(null);
  const sendsMail = useMailDelivery();
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
  return (
    <section className="mt-8" aria-labelledby="invitations">
      <div className="row between wrapping">
        <h2 className="h4" id="invitations">
          {t`Invitations`}
        </h2>
        <button type="button" className="btn primary" onClick={() => setIsInviting(true)}>
          {t`Invite somebody`}
        </button>
      </div>
      {error && !data ? (
        <LoadError subject={t`The list of invitations`} error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={80} />
      ) : data.items.length === 0 ? (
        <p className="muted mt-2">
          {t`None is open. Whoever you invite shares this organization's plan, keys, usage and deployments.`}
        </p>
      ) : (
        <table className={`mt-2 ${styles.people}`}>
          <thead>
            <tr>
              <th>{t`E-mail`}</th>
              <th>{t`Role`}</th>
              <th className="wide-only">{t`Sent`}</th>
              <th className="wide-only">{t`Link`}</th>
              <th>
                <span className="visually-hidden">{t`Actions`}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((invitation) => (
              <tr key={invitation.id}>
                <td className="user-text">{invitation.email}</td>
                <td>{getRoleLabel(invitation.role)}</td>
                <td className="wide-only muted">{sendsMail ? formatRelativeTime(invitation.sent_at) : t`not sent`}</td>
                <td className="wide-only small">
                  <LinkState endsAt={invitation.expires_at} />
                </td>
                <td className="end">
                  <button
                    type="button"
                    className="btn ghost"
                    aria-label={sendsMail ? t`Send again to ${invitation.email}` : t`New link for ${invitation.email}`}
                    onClick={() => void resend.run(invitation)}
                  >
                    {sendsMail ? t`Send again` : t`New link`}
                  </button>
                  <button
                    type="button"
                    className="btn ghost"
                    aria-label={t`Withdraw the invitation of ${invitation.email}`}
                    onClick={() => void withdraw.run(invitation)}
                  >
                    {t`Withdraw`}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <InviteDialog open={isInviting} close={() => setIsInviting(false)} onInvited={setInvited} />
      <LinkDialog
        title={t`The link for ${invited?.email ?? ""}`}
        description={t`This server sends no mail, so nobody was sent it. Copy it and pass it on: it is not shown again.`}
        link={invited?.link ?? null}
        close={() => setInvited(null)}
      />
    </section>
  );
}

function LinkState({ endsAt }: { endsAt: Date }) {
  return endsAt.getTime() < Date.now() ? (
    <StateBadge tier="offline">{t`has ended`}</StateBadge>
  ) : (
    <StateBadge tier="good">{t`ends ${formatRelativeTime(endsAt)}`}</StateBadge>
  );
}
