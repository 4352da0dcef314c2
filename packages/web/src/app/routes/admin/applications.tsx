import type { Application, Query } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import type { PageLocation } from "#/app/page-module.ts";
import { ListPage } from "#/components/list/list-page.tsx";
import { type Filter, type ListValues, readList } from "#/components/list/list-params.ts";
import type { Column } from "#/components/list/list-table.tsx";
import { useListState } from "#/components/list/use-list-state.ts";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import styles from "#/features/admin/admin.module.css";
import { Id } from "#/features/admin/id.tsx";
import { NameWithDetail } from "#/features/admin/name-with-detail.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { createMenuColumn } from "#/features/admin/row-menu.tsx";
import { applicationsQuery } from "#/features/admin/system/queries.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";

type Status = Application["status"];

const STATUSES: readonly { value: Status; label: string; tier: string }[] = [
  { value: "pending", label: t`Waits for review`, tier: "loading" },
  { value: "active", label: t`Active`, tier: "good" },
  { value: "inactive", label: t`Inactive`, tier: "offline" },
  { value: "suspended", label: t`Suspended`, tier: "bad" },
  { value: "rejected", label: t`Rejected`, tier: "bad" },
];
const FILTERS: readonly Filter[] = [
  { name: "search", label: t`Search`, kind: "search", placeholder: t`Part of a name, or an id` },
  { name: "status", label: t`State`, kind: "choice", options: STATUSES },
  {
    name: "client_type",
    label: t`Type`,
    kind: "choice",
    options: [
      { value: "confidential", label: t`Confidential` },
      { value: "public", label: t`Public` },
    ],
  },
  { name: "organization_id", label: t`Organization`, kind: "text", placeholder: "org_…" },
];

/** Returns the URLs an application may send people to. */
const addressesOf = ({ homepage_url, redirect_uris }: Application): string[] => [
  ...new Set([homepage_url, ...redirect_uris].filter((address) => address !== null)),
];

const COLUMNS: Column<Application>[] = [
  {
    header: t`Application, and where it sends people`,
    cell: (application) => (
      <>
        <NameWithDetail name={application.name} detail={application.description} />
        <ul className="small mono muted">
          {addressesOf(application).map((address) => (
            <li key={address} className="user-text">
              {address}
            </li>
          ))}
        </ul>
        <Id>{application.id}</Id>
      </>
    ),
  },
  {
    header: t`Asks for`,
    cell: ({ scopes }) => <span className="small muted">{scopes.join(", ")}</span>,
    hideWhenNarrow: true,
  },
  {
    header: t`Of`,
    cell: ({ owner }) => <span className="muted user-text">{owner?.name ?? t`the platform`}</span>,
    hideWhenNarrow: true,
  },
  { header: t`Since`, cell: ({ created_at }) => <RelativeTime date={created_at} />, hideWhenNarrow: true },
  {
    header: t`State`,
    cell: ({ status, verified }) => {
      const known = STATUSES.find(({ value }) => value === status);
      return (
        <span className="small">
          <StateBadge tier={known?.tier ?? "offline"}>{known?.label.toLowerCase() ?? status}</StateBadge>
          {verified ? null : (
            <div className={`tiny faint ${styles.cellNote}`}>{t`not verified: people are warned of it`}</div>
          )}
        </span>
      );
    },
  },
];

const toQuery = ({ values, page }: ListValues) => ({ ...values, page, perPage: 50 }) as Query<"admin.applications">;

/** All OAuth applications, with their review. */
export default function AdminApplicationsPage() {
  const list = useListState(FILTERS);
  const applications = useQuery(applicationsQuery(toQuery(list)));
  const { setStatus, confirmRefusal } = useDecisions();
  const actionsOf = (application: Application) => {
    const hasStatus = (...statuses: Status[]) => statuses.includes(application.status);
    return [
      !hasStatus("active") && {
        label: hasStatus("pending") ? t`Approve` : t`Activate`,
        run: () => void setStatus(application, "active"),
      },
      hasStatus("active") &&
        !application.verified && { label: t`Verify`, run: () => void setStatus(application, "active") },
      hasStatus("pending") && {
        label: t`Reject`,
        run: () => confirmRefusal(application, "rejected"),
        destructive: true,
      },
      hasStatus("active", "inactive") && {
        label: t`Suspend`,
        run: () => confirmRefusal(application, "suspended"),
        destructive: true,
      },
    ];
  };
  return (
    <ListPage
      title={t`Applications`}
      description={t`Programs of third parties that act for users who allow it. Only active ones get tokens.`}
      list={list}
      query={applications}
      columns={[...COLUMNS, createMenuColumn((application: Application) => application.name, actionsOf)]}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      empty={{
        title: t`No applications yet`,
        text: t`Developers register theirs under Account. With FEATHER_APPLICATION_REVIEW they wait here first.`,
      }}
    />
  );
}

function useDecisions() {
  const confirm = useConfirm();
  const change = useAction(
    ({ application, status }: { application: Application; status: Status }) =>
      feather.applications.setStatus(application.id, { status }),
    {
      success: (_, { application, status }) => t`${application.name} is ${status}`,
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  const setStatus = (application: Application, status: Status) => change.run({ application, status });
  function confirmRefusal(application: Application, status: "suspended" | "rejected"): void {
    const verb = status === "suspended" ? t`Suspend` : t`Reject`;
    confirm({
      title: `${verb} ${application.name}`,
      description: t`Its tokens are refused at once. They hold again when you activate it.`,
      confirmButtonText: `${verb} ${application.name}`,
      destructive: true,
      action: async () => {
        await setStatus(application, status);
      },
    });
  }
  return { setStatus, confirmRefusal };
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { search }: PageLocation): Promise<void> =>
  client.prefetchQuery(applicationsQuery(toQuery(readList(search, FILTERS))));
