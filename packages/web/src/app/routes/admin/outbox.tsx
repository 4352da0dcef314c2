import type { OutboxMessage, Query } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PageLocation } from "#/app/page-module.ts";
import { ListPage } from "#/components/list/list-page.tsx";
import { type Filter, type ListValues, readList } from "#/components/list/list-params.ts";
import type { Column } from "#/components/list/list-table.tsx";
import { useListState } from "#/components/list/use-list-state.ts";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { useUser } from "#/entities/session/user.ts";
import adminStyles from "#/features/admin/admin.module.css";
import { NameWithDetail } from "#/features/admin/name-with-detail.tsx";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { outboxQuery } from "#/features/admin/system/queries.ts";
import { type Reauthentication, ReauthenticationDialog } from "#/features/auth/reauthentication-dialog.tsx";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./outbox.module.css";

const FILTERS: readonly Filter[] = [
  { name: "search", label: t`Search`, kind: "search", placeholder: t`Part of the address or the subject` },
  {
    name: "state",
    label: t`State`,
    kind: "choice",
    options: [
      { value: "waiting", label: t`Waiting` },
      { value: "sent", label: t`Sent` },
      { value: "failed", label: t`Failed` },
    ],
  },
];
const TIERS: Record<OutboxMessage["state"], string> = { waiting: "loading", sent: "good", failed: "bad" };

const toQuery = ({ values, page }: ListValues) => ({ ...values, page, perPage: 50 }) as Query<"admin.outbox">;

/** Sent and waiting mails of the last 30 days. */
export default function AdminOutboxPage() {
  const list = useListState(FILTERS);
  const [openedMessage, setOpenedMessage] = useState<OutboxMessage | null>(null);
  const messages = useQuery(outboxQuery(toQuery(list)));
  const columns: Column<OutboxMessage>[] = [
    {
      header: t`Message`,
      cell: (message) => (
        <button type="button" className={styles.asText} onClick={() => setOpenedMessage(message)}>
          <NameWithDetail name={message.subject} detail={message.to} />
        </button>
      ),
    },
    {
      header: t`Kind`,
      cell: ({ kind }) => <span className="small muted">{kind.replaceAll("_", " ")}</span>,
      hideWhenNarrow: true,
    },
    { header: t`Written`, cell: ({ created_at }) => <RelativeTime date={created_at} />, hideWhenNarrow: true },
    { header: t`Sent`, cell: ({ sent_at }) => <RelativeTime date={sent_at} emptyText="–" />, hideWhenNarrow: true },
    { header: t`Attempts`, cell: ({ attempts }) => attempts, isNumeric: true, hideWhenNarrow: true },
    {
      header: t`State`,
      cell: ({ state, last_error }) => (
        <span className="small">
          <StateBadge tier={TIERS[state]}>{state}</StateBadge>
          {last_error ? <div className={`tiny faint ${adminStyles.cellNote} user-text`}>{last_error}</div> : null}
        </span>
      ),
    },
  ];
  return (
    <>
      <ListPage
        title={t`Outbox`}
        description={t`Every message of the last 30 days. Without a mail server they wait here: open one to show its link with your password, and pass it on.`}
        list={list}
        query={messages}
        columns={columns}
        idOf={({ id }) => id}
        empty={{
          title: t`No messages yet`,
          text: t`Confirmations, invitations and receipts stand here as they are written.`,
        }}
      />
      <MessageDialog key={openedMessage?.id} message={openedMessage} close={() => setOpenedMessage(null)} />
    </>
  );
}

/** A dialog with a mail. Its link is hidden until the admin confirms with their password. */
function MessageDialog({ message, close }: { message: OutboxMessage | null; close(): void }) {
  const { user } = useUser();
  const [text, setText] = useState<string | null>(null);
  const [isReauthenticating, setReauthenticating] = useState(false);
  const reveal = useAction(
    ({ id, proof }: { id: string; proof: Reauthentication }) => feather.admin.revealMessage(id, proof),
    { onSuccess: (revealed) => setText(revealed.text) },
  );
  const shown = text ?? message?.text ?? "";
  return (
    <>
      <Dialog
        open={message !== null && !isReauthenticating}
        onClose={close}
        title={message?.subject ?? ""}
        description={message ? t`To ${message.to}` : ""}
      >
        <pre className={adminStyles.raw}>{shown}</pre>
        <div className="actions">
          {shown.includes("(hidden)") ? (
            <button type="button" className="btn" onClick={() => setReauthenticating(true)}>
              {t`Show the link`}
            </button>
          ) : (
            <CopyButton text={shown} label={t`Copy the text`} className="btn" />
          )}
          <button type="button" className="btn" onClick={close}>
            {t`Close`}
          </button>
        </div>
      </Dialog>
      {user && message ? (
        <ReauthenticationDialog
          user={user}
          open={isReauthenticating}
          close={() => setReauthenticating(false)}
          title={t`Show the link`}
          description={t`Whoever has it can act for ${message.to}. That you looked stands in the audit log.`}
          submitLabel={t`Show it`}
          submit={(proof) => reveal.submit({ id: message.id, proof })}
        />
      ) : null}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { search }: PageLocation): Promise<void> =>
  client.prefetchQuery(outboxQuery(toQuery(readList(search, FILTERS))));
