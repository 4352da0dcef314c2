import type { Incident } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { ListPage } from "#/components/list/list-page.tsx";
import type { Column } from "#/components/list/list-table.tsx";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { requiredText } from "#/features/admin/forms/field-schemas.ts";
import { FormDialog } from "#/features/admin/forms/form-dialog.tsx";
import { NameWithDetail } from "#/features/admin/name-with-detail.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { createMenuColumn } from "#/features/admin/row-menu.tsx";
import { incidentsQuery } from "#/features/admin/system/queries.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";

const STATES: readonly { value: Incident["state"]; label: string; tier: string }[] = [
  { value: "investigating", label: t`Investigating`, tier: "bad" },
  { value: "identified", label: t`Identified`, tier: "loading" },
  { value: "monitoring", label: t`Monitoring`, tier: "loading" },
  { value: "resolved", label: t`Resolved`, tier: "good" },
];
const rules = z.object({
  title: requiredText(t`Title`, { max: 200 }),
  body: requiredText(t`Text`, { max: 5000 }),
  state: z.enum(["investigating", "identified", "monitoring", "resolved"]),
});
type Values = z.infer<typeof rules>;

const COLUMNS: Column<Incident>[] = [
  { header: t`Incident`, cell: ({ title, body }) => <NameWithDetail name={title} detail={body} /> },
  { header: t`Began`, cell: ({ started_at }) => <RelativeTime date={started_at} />, hideWhenNarrow: true },
  { header: t`Updated`, cell: ({ updated_at }) => <RelativeTime date={updated_at} />, hideWhenNarrow: true },
  {
    header: t`Resolved`,
    cell: ({ resolved_at }) => <RelativeTime date={resolved_at} emptyText="–" />,
    hideWhenNarrow: true,
  },
  {
    header: t`State`,
    cell: ({ state }) => (
      <span className="small">
        <StateBadge tier={STATES.find(({ value }) => value === state)?.tier ?? "offline"}>{state}</StateBadge>
      </span>
    ),
  },
];

/** The incidents of the status page: publish, update, resolve and delete. */
export default function AdminIncidentsPage() {
  const incidents = useQuery(incidentsQuery);
  const [editing, setEditing] = useState<Incident | "new" | null>(null);
  const confirm = useConfirm();
  const changing = useAction(
    ({ incident, state }: { incident: Incident; state: Incident["state"] }) =>
      feather.admin.incidents.update(incident.id, { state }),
    {
      success: (_, { incident: { title }, state }) =>
        state === "resolved" ? t`“${title}” is resolved` : t`“${title}” is open again`,
      undo:
        (run, { incident, state }) =>
        () =>
          run({ incident, state: state === "resolved" ? incident.state : "resolved" }),
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  const removal = useAction(({ id }: Incident) => feather.admin.incidents.delete(id), {
    success: (_, { title }) => t`“${title}” is taken back`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const addButton = (
    <button type="button" className="btn primary" onClick={() => setEditing("new")}>
      {t`Tell of an incident`}
    </button>
  );
  function remove(incident: Incident): void {
    const { title } = incident;
    confirm({
      title: t`Take “${title}” back`,
      description: t`It disappears from the status page as if it had never been told. Resolve it instead if it was real.`,
      confirmButtonText: t`Take it back`,
      destructive: true,
      action: async () => {
        await removal.run(incident);
      },
    });
  }
  return (
    <>
      <ListPage
        title={t`Incidents`}
        description={t`What the status page tells visitors of trouble, and what became of it.`}
        action={addButton}
        query={incidents}
        columns={[
          ...COLUMNS,
          createMenuColumn(
            ({ title }: Incident) => title,
            (incident) => [
              { label: t`Update`, run: () => setEditing(incident) },
              incident.state !== "resolved" && {
                label: t`Resolve`,
                run: () => void changing.run({ incident, state: "resolved" }),
              },
              { label: t`Take back`, run: () => remove(incident), destructive: true },
            ],
          ),
        ]}
        idOf={({ id }) => id}
        nameOf={({ title }) => title}
        empty={{
          title: t`No incidents`,
          text: t`When something is wrong, tell of it here: people look at the status page before they write.`,
          action: addButton,
        }}
      />
      {editing ? <IncidentDialog incident={editing === "new" ? null : editing} close={() => setEditing(null)} /> : null}
    </>
  );
}

function IncidentDialog({ incident, close }: { incident: Incident | null; close(): void }) {
  const save = useAction<Values, Incident>(
    (values) =>
      incident ? feather.admin.incidents.update(incident.id, values) : feather.admin.incidents.create(values),
    { success: () => t`It stands on the status page`, invalidates: ADMIN_QUERY_KEYS },
  );
  const initial: Values = {
    title: incident?.title ?? "",
    body: incident?.body ?? "",
    state: incident?.state ?? "investigating",
  };
  return (
    <FormDialog<Values>
      open
      title={incident ? t`Update the incident` : t`Tell of an incident`}
      description={t`Everybody can read it on the status page at once.`}
      close={close}
      schema={rules}
      initial={initial}
      fields={[
        { name: "title", label: t`Title`, hint: t`Such as: Slow answers of large models` },
        { name: "body", label: t`Text`, kind: "text", rows: 5, hint: t`What is wrong, for whom, and what you do.` },
        { name: "state", label: t`State`, kind: "choice", options: STATES },
      ]}
      submitLabel={incident ? t`Publish the update` : t`Publish`}
      submit={save.submit}
    />
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<void> => client.prefetchQuery(incidentsQuery);
