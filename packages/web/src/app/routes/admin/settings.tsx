import type { ServerSetting } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { ListPage } from "#/features/admin/list/list-page.tsx";
import type { Filter } from "#/features/admin/list/list-params.ts";
import type { Column } from "#/features/admin/list/list-table.tsx";
import { useListState } from "#/features/admin/list/use-list-state.ts";
import { ExposureDetails } from "#/features/admin/system/exposure-details.tsx";
import { filterSettings } from "#/features/admin/system/filter-settings.ts";
import { PaymentConnection } from "#/features/admin/system/payment-connection.tsx";
import { PaymentsCheck } from "#/features/admin/system/payments-check.tsx";
import { modelHostQuery, settingsQuery } from "#/features/admin/system/queries.ts";
import { RuntimesTable } from "#/features/admin/system/runtimes-table.tsx";

const FILTERS: readonly Filter[] = [
  { name: "search", label: t`Search`, kind: "search", placeholder: t`Name, purpose or value` },
  { name: "set", label: t`Value`, kind: "choice", options: [{ value: "changed", label: t`Set by you` }] },
];

const COLUMNS: Column<ServerSetting>[] = [
  {
    header: t`Setting`,
    cell: ({ name, description }) => (
      <>
        <div className="mono">{toBreakable(name)}</div>
        <div className="small muted measure">{description}</div>
      </>
    ),
    className: "stacked",
  },
  {
    header: t`Value`,
    cell: ({ value, is_secret }) =>
      is_secret ? <Tag>{t`secret, not shown`}</Tag> : <span className="mono small user-text">{value ?? "–"}</span>,
    className: "stacked",
  },
  {
    header: t`From`,
    cell: ({ is_default }) => (
      <span className="small">
        <StateBadge tier={is_default ? "offline" : "good"}>{is_default ? t`default` : t`set`}</StateBadge>
      </span>
    ),
    hideWhenNarrow: true,
  },
];

/** Returns the name of a setting that may break after its underscores, so that it does not break within a word. */
const toBreakable = (name: string) =>
  name.split(/(?<=_)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name keep their order
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));

const hasPaymentService = (items: readonly ServerSetting[]) =>
  items.some(({ name, value }) => name === "FEATHER_PAYMENTS" && (value === "stripe" || value === "module"));

/** The settings the server was started with, who can reach it, and what runs its models; read only. */
export default function AdminSettingsPage() {
  const list = useListState(FILTERS);
  const settings = useQuery(settingsQuery);
  const items =
    settings.data && filterSettings(settings.data.items, list.values.search ?? "", Boolean(list.values.set));
  return (
    <ListPage
      title={t`Settings`}
      description={t`What the server was started with. Change them in the environment or the settings file, and start it again.`}
      list={list}
      query={{ ...settings, data: items && { items } }}
      columns={COLUMNS}
      idOf={({ name }) => name}
      empty={{ title: t`No settings`, text: t`The server names none.` }}
    >
      {settings.data?.exposure ? (
        <>
          <ExposureDetails exposure={settings.data.exposure} sandbox={settings.data.engine_sandbox} />
          {hasPaymentService(settings.data.items) ? <PaymentConnection /> : null}
          {settings.data.payments_check ? <PaymentsCheck check={settings.data.payments_check} /> : null}
          <RuntimesTable />
        </>
      ) : null}
    </ListPage>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<unknown> =>
  Promise.all([client.prefetchQuery(settingsQuery), client.prefetchQuery(modelHostQuery)]);
