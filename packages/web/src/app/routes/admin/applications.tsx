import type { Query, Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { State } from "#/components/ui/bits.tsx";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { Id, Moment, Named } from "#/features/admin/cells.tsx";
import { ListPage } from "#/features/admin/list/list-page.tsx";
import type { Filter } from "#/features/admin/list/list-params.ts";
import type { Column } from "#/features/admin/list/list-table.tsx";
import { useList } from "#/features/admin/list/use-list.ts";
import { menuColumn } from "#/features/admin/row-menu.tsx";
import { applicationsQuery } from "#/features/admin/system/queries.ts";
import { useAct } from "#/features/admin/use-act.ts";
import { feather } from "#/lib/feather.ts";

type Application = Schemas["Application"];
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
    head: t`Application, and where it sends people`,
    cell: (application) => (
      <>
        <Named name={application.name} below={application.description} />
        <ul className="small mono mid">
          {addressesOf(application).map((address) => (
            <li key={address} className="stranger">
              {address}
            </li>
          ))}
        </ul>
        <Id>{application.id}</Id>
      </>
    ),
  },
  { head: t`Asks for`, cell: ({ scopes }) => <span className="small mid">{scopes.join(", ")}</span>, wide: true },
  {
    head: t`Of`,
    cell: ({ owner }) => <span className="mid stranger">{owner?.name ?? t`the platform`}</span>,
    wide: true,
  },
  { head: t`Since`, cell: ({ created_at }) => <Moment date={created_at} />, wide: true },
  {
    head: t`State`,
    cell: ({ status, verified }) => {
      const known = STATUSES.find(({ value }) => value === status);
      return (
        <span className="small">
          <State tier={known?.tier ?? "offline"}>{known?.label.toLowerCase() ?? status}</State>
          {verified ? null : <div className="tiny dim cell-note">{t`not verified: people are warned of it`}</div>}
        </span>
      );
    },
  },
];

/** All OAuth applications, with their review. */
export default function AdminApplicationsPage() {
  const list = useList(FILTERS);
  const query = { ...list.values, page: list.page, perPage: 50 } as Query<"admin.applications">;
  const applications = useQuery(applicationsQuery(query));
  const { setStatus, refuse } = useDecisions();
  const actionsOf = (application: Application) => {
    const is = (...statuses: Status[]) => statuses.includes(application.status);
    return [
      !is("active") && {
        label: is("pending") ? t`Approve` : t`Activate`,
        run: () => void setStatus(application, "active"),
      },
      is("active") && !application.verified && { label: t`Verify`, run: () => void setStatus(application, "active") },
      is("pending") && { label: t`Reject`, run: () => refuse(application, "rejected"), destructive: true },
      is("active", "inactive") && { label: t`Suspend`, run: () => refuse(application, "suspended"), destructive: true },
    ];
  };
  return (
    <ListPage
      title={t`Applications`}
      about={t`Programs of third parties that act for users who allow it. Only active ones get tokens.`}
      list={list}
      query={applications}
      columns={[...COLUMNS, menuColumn((application: Application) => application.name, actionsOf)]}
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
  const act = useAct();
  const confirm = useConfirm();
  const setStatus = (application: Application, status: Status) =>
    act(() => feather.applications.setStatus(application.id, { status }), {
      title: t`${application.name} is ${status}`,
    });
  function refuse(application: Application, status: "suspended" | "rejected"): void {
    const word = status === "suspended" ? t`Suspend` : t`Reject`;
    confirm({
      title: `${word} ${application.name}`,
      description: t`Its tokens are refused at once. They hold again when you activate it.`,
      confirmButtonText: `${word} ${application.name}`,
      destructive: true,
      action: async () => {
        await setStatus(application, status);
      },
    });
  }
  return { setStatus, refuse };
}
