import type { Query, Schemas } from "@feather/sdk";
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
  { value: "pending", label: "Waits for review", tier: "loading" },
  { value: "active", label: "Active", tier: "good" },
  { value: "inactive", label: "Inactive", tier: "offline" },
  { value: "suspended", label: "Suspended", tier: "bad" },
  { value: "rejected", label: "Rejected", tier: "bad" },
];
const FILTERS: readonly Filter[] = [
  { name: "search", label: "Search", kind: "search", placeholder: "Part of a name, or an id" },
  { name: "status", label: "State", kind: "choice", options: STATUSES },
  {
    name: "client_type",
    label: "Type",
    kind: "choice",
    options: [
      { value: "confidential", label: "Confidential" },
      { value: "public", label: "Public" },
    ],
  },
  { name: "organization_id", label: "Organization", kind: "text", placeholder: "org_…" },
];

/** Where people may end up. */
const addressesOf = ({ homepage_url, redirect_uris }: Application): string[] => [
  ...new Set([homepage_url, ...redirect_uris].filter((address) => address !== null)),
];

const COLUMNS: Column<Application>[] = [
  {
    head: "Application, and where it sends people",
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
  { head: "Asks for", cell: ({ scopes }) => <span className="small mid">{scopes.join(", ")}</span>, wide: true },
  {
    head: "Of",
    cell: ({ owner }) => <span className="mid stranger">{owner?.name ?? "the platform"}</span>,
    wide: true,
  },
  { head: "Since", cell: ({ created_at }) => <Moment date={created_at} />, wide: true },
  {
    head: "State",
    cell: ({ status }) => {
      const known = STATUSES.find(({ value }) => value === status);
      return (
        <span className="small">
          <State tier={known?.tier ?? "offline"}>{known?.label.toLowerCase() ?? status}</State>
        </span>
      );
    },
  },
];

export default function AdminApplicationsPage() {
  const list = useList(FILTERS);
  const query = { ...list.values, page: list.page, perPage: 50 } as Query<"admin.applications">;
  const applications = useQuery(applicationsQuery(query));
  const { setStatus, refuse } = useDecisions();
  const actionsOf = (application: Application) => {
    const is = (...statuses: Status[]) => statuses.includes(application.status);
    return [
      !is("active") && {
        label: is("pending") ? "Approve" : "Activate",
        run: () => void setStatus(application, "active"),
      },
      is("pending") && { label: "Reject", run: () => refuse(application, "rejected"), destructive: true },
      is("active", "inactive") && { label: "Suspend", run: () => refuse(application, "suspended"), destructive: true },
    ];
  };
  return (
    <ListPage
      title="Applications"
      about="Programs of third parties that act for users who allow it. Only active ones get tokens."
      list={list}
      query={applications}
      columns={[...COLUMNS, menuColumn((application: Application) => application.name, actionsOf)]}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      empty={{
        title: "No applications yet",
        text: "Developers register theirs under Account. With FEATHER_APPLICATION_REVIEW they wait here first.",
      }}
    />
  );
}

function useDecisions() {
  const act = useAct();
  const confirm = useConfirm();
  const setStatus = (application: Application, status: Status) =>
    act(() => feather.applications.setStatus(application.id, { status }), {
      title: `${application.name} is ${status}`,
    });
  function refuse(application: Application, status: "suspended" | "rejected"): void {
    const word = status === "suspended" ? "Suspend" : "Reject";
    confirm({
      title: `${word} ${application.name}`,
      description: "Its tokens are refused at once. They hold again when you activate it.",
      confirmButtonText: `${word} ${application.name}`,
      destructive: true,
      action: async () => {
        await setStatus(application, status);
      },
    });
  }
  return { setStatus, refuse };
}
