import type { Result } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { ModelId, State } from "#/components/ui/bits.tsx";
import { BulkButton } from "#/features/admin/bulk-button.tsx";
import { Moment } from "#/features/admin/cells.tsx";
import { ListPage } from "#/features/admin/list/list-page.tsx";
import type { Column } from "#/features/admin/list/list-table.tsx";
import { useSelection } from "#/features/admin/list/selection.ts";
import { useList } from "#/features/admin/list/use-list.ts";
import { modelRequestsQuery } from "#/features/admin/models/queries.ts";
import { adminPaths } from "#/features/admin/paths.ts";
import { Results } from "#/features/admin/results.tsx";
import { useBulk } from "#/features/admin/use-bulk.ts";
import { feather } from "#/lib/feather.ts";
import { count } from "#/lib/format.ts";

type ModelRequest = Result<"admin.models.requests">["items"][number];

/** How many requesting organizations are listed by name. */
const NAMED = 3;

const COLUMNS: Column<ModelRequest>[] = [
  {
    head: t`Model`,
    cell: ({ model_id, in_catalogue }) => (
      <Link to={in_catalogue ? adminPaths.model(model_id) : adminPaths.importModels([model_id])}>
        <ModelId id={model_id} />
      </Link>
    ),
  },
  { head: t`Requests`, cell: ({ request_count }) => count(request_count), figure: true },
  {
    head: t`From`,
    cell: ({ organizations, request_count }) => <AskedBy names={organizations} total={request_count} />,
    wide: true,
  },
  { head: t`First asked`, cell: ({ first_requested_at }) => <Moment date={first_requested_at} />, wide: true },
  { head: t`Last asked`, cell: ({ last_requested_at }) => <Moment date={last_requested_at} />, wide: true },
  {
    head: t`Catalogue`,
    cell: ({ in_catalogue }) => (
      <span className="small">
        <State tier={in_catalogue ? "good" : "offline"}>{in_catalogue ? t`is in it` : t`missing`}</State>
      </span>
    ),
  },
];

/** The first requesting organizations by name, and the number of others. */
function AskedBy({ names, total }: { names: readonly string[]; total: number }) {
  const shown = names.slice(0, NAMED);
  const more = total - shown.length;
  return (
    <span className="small stranger">
      {shown.join(", ")}
      {more > 0 ? ` ${plural(more, { one: "and # more", other: "and # more" })}` : null}
    </span>
  );
}

/** Models that organizations have requested, with bulk import. */
export default function AdminModelRequestsPage() {
  const list = useList([]);
  const requests = useQuery(modelRequestsQuery({ page: list.page, perPage: 50 }));
  const selection = useSelection();
  const many = useBulk(async (ids) => (await feather.admin.models.import({ ids: [...ids] })).results);
  return (
    <ListPage
      title={t`Model requests`}
      about={t`Models that organizations ask for, the most wanted first. Nothing happens by itself: import the model, and run it on a backend, or leave it.`}
      list={list}
      query={requests}
      columns={COLUMNS}
      idOf={({ model_id }) => model_id}
      selection={selection}
      chosen={<BulkButton label={t`Import`} ids={selection.ids} many={many} />}
      empty={{
        title: t`Nobody asks for a model`,
        text: t`People who look for one that does not run here can ask for it on its page. It stands here then.`,
      }}
    >
      {many.results ? (
        <Results title={t`Import`} done={t`is in the catalogue`} results={many.results} close={many.forget} />
      ) : null}
    </ListPage>
  );
}
