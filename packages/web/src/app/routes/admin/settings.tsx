import type { ServerSetting, ServerSettings } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { FilterBar } from "#/components/list/filter-bar.tsx";
import type { Filter } from "#/components/list/list-params.ts";
import { type ListState, useListState } from "#/components/list/use-list-state.ts";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { filterSettings } from "#/features/admin/settings/filter-settings.ts";
import { toGroups } from "#/features/admin/settings/groups.ts";
import { RestartNotice } from "#/features/admin/settings/restart-notice.tsx";
import { SettingsGroup } from "#/features/admin/settings/settings-group.tsx";
import { SettingsLayout, type SettingsPart } from "#/features/admin/settings/settings-layout.tsx";
import { SettingsState } from "#/features/admin/settings/settings-state.tsx";
import { ExposureDetails } from "#/features/admin/system/exposure-details.tsx";
import { PaymentConnection } from "#/features/admin/system/payment-connection.tsx";
import { PaymentsCheck } from "#/features/admin/system/payments-check.tsx";
import { modelHostQuery, settingsQuery } from "#/features/admin/system/queries.ts";
import { RuntimesTable } from "#/features/admin/system/runtimes-table.tsx";

const FILTERS: readonly Filter[] = [
  { name: "search", label: t`Search`, kind: "search", placeholder: t`Name, purpose or value` },
  { name: "set", label: t`Value`, kind: "choice", options: [{ value: "changed", label: t`Not the default` }] },
];

const hasPaymentService = (items: readonly ServerSetting[]) =>
  items.some(({ name, value }) => name === "FEATHER_PAYMENTS" && (value === "stripe" || value === "module"));

/** The settings of the server, which admins save for its next start, who can reach it, and what runs its models. */
export default function AdminSettingsPage() {
  const list = useListState(FILTERS);
  const settings = useQuery(settingsQuery);
  return (
    <>
      <PageHeader
        title={t`Settings`}
        description={t`What you save is used from the next start of the server on. The environment and the settings file win over it.`}
      />
      <FilterBar list={list} />
      <Loaded subject={t`the settings`} query={settings}>
        {(loaded) => <LoadedSettings settings={loaded} list={list} />}
      </Loaded>
    </>
  );
}

function LoadedSettings({ settings, list }: { settings: ServerSettings; list: ListState }) {
  const { isFiltered } = list;
  const found = filterSettings(settings.items, list.values.search ?? "", Boolean(list.values.set));
  const groups = toGroups(found).map((group) => ({
    ...group,
    content: <SettingsGroup group={group} isOpen={isFiltered} />,
  }));
  return (
    <>
      {settings.needs_restart ? (
        <RestartNotice startedAt={settings.started_at} canRestart={settings.can_restart} />
      ) : null}
      {found.length === 0 ? (
        <EmptyState
          title={t`Nothing matches`}
          action={
            <button type="button" className="btn" onClick={list.clear}>
              {t`Clear filters`}
            </button>
          }
        >
          {t`Nothing fits all of these filters. Take one away, or search for part of a name.`}
        </EmptyState>
      ) : (
        <SettingsLayout parts={isFiltered ? groups : [toOpenPart(settings), ...groups, PROGRAMS_PART]} />
      )}
    </>
  );
}

/** Who can reach the server, and how its payments are connected. */
function toOpenPart({ items, exposure, engine_sandbox, payments_check }: ServerSettings): SettingsPart {
  const title = t`What is open`;
  return {
    id: "open",
    title,
    content: (
      <SettingsState id="open" title={title}>
        <ExposureDetails exposure={exposure} sandbox={engine_sandbox} />
        {hasPaymentService(items) ? <PaymentConnection /> : null}
        {payments_check ? <PaymentsCheck check={payments_check} /> : null}
      </SettingsState>
    ),
  };
}

const PROGRAMS_PART: SettingsPart = {
  id: "programs",
  title: t`Programs that run models`,
  content: (
    <SettingsState id="programs" title={t`Programs that run models`}>
      <RuntimesTable />
    </SettingsState>
  ),
};

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<unknown> =>
  Promise.all([client.prefetchQuery(settingsQuery), client.prefetchQuery(modelHostQuery)]);
