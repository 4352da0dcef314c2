import type { Query } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { State } from "#/components/ui/bits.tsx";
import { CopyButton } from "#/components/ui/code.tsx";
import { Dialog } from "#/components/ui/dialog.tsx";
import { Moment, Named } from "#/features/admin/cells.tsx";
import { ListPage } from "#/features/admin/list/list-page.tsx";
import type { Filter } from "#/features/admin/list/list-params.ts";
import type { Column } from "#/features/admin/list/list-table.tsx";
import { useList } from "#/features/admin/list/use-list.ts";
import { type OutboxMessage, outboxQuery } from "#/features/admin/system/queries.ts";

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

export default function AdminOutboxPage() {
  const list = useList(FILTERS);
  const [read, setRead] = useState<OutboxMessage | null>(null);
  const query = { ...list.values, page: list.page, perPage: 50 } as Query<"admin.outbox">;
  const messages = useQuery(outboxQuery(query));
  const columns: Column<OutboxMessage>[] = [
    {
      head: t`Message`,
      cell: (message) => (
        <button type="button" className="as-text" onClick={() => setRead(message)}>
          <Named name={message.subject} below={message.to} />
        </button>
      ),
    },
    { head: t`Kind`, cell: ({ kind }) => <span className="small mid">{kind.replaceAll("_", " ")}</span>, wide: true },
    { head: t`Written`, cell: ({ created_at }) => <Moment date={created_at} />, wide: true },
    { head: t`Sent`, cell: ({ sent_at }) => <Moment date={sent_at} none="–" />, wide: true },
    { head: t`Attempts`, cell: ({ attempts }) => attempts, figure: true, wide: true },
    {
      head: t`State`,
      cell: ({ state, last_error }) => (
        <span className="small">
          <State tier={TIERS[state]}>{state}</State>
          {last_error ? <div className="tiny dim cell-note stranger">{last_error}</div> : null}
        </span>
      ),
    },
  ];
  return (
    <>
      <ListPage
        title={t`Outbox`}
        about={t`Every message of the platform. Without a mail server they wait here: open one to copy its link and pass it on.`}
        list={list}
        query={messages}
        columns={columns}
        idOf={({ id }) => id}
        empty={{
          title: t`No messages yet`,
          text: t`Confirmations, invitations and receipts stand here as they are written.`,
        }}
      />
      <Dialog
        open={read !== null}
        onClose={() => setRead(null)}
        title={read?.subject ?? ""}
        description={read ? t`To ${read.to}` : ""}
      >
        <pre className="raw">{read?.text}</pre>
        <div className="actions">
          <CopyButton text={read?.text ?? ""} label={t`Copy the text`} className="btn" />
          <button type="button" className="btn" onClick={() => setRead(null)}>
            {t`Close`}
          </button>
        </div>
      </Dialog>
    </>
  );
}
