import type { ModelRequest } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import type { PageLocation } from "#/app/page-module.ts";
import { BulkButton } from "#/components/list/bulk/bulk-button.tsx";
import { BulkResults } from "#/components/list/bulk/bulk-results.tsx";
import { useSelection } from "#/components/list/bulk/selection.ts";
import { useBulkAction } from "#/components/list/bulk/use-bulk-action.ts";
import { ListPage } from "#/components/list/list-page.tsx";
import { readList } from "#/components/list/list-params.ts";
import type { Column } from "#/components/list/list-table.tsx";
import { useListState } from "#/components/list/use-list-state.ts";
import { modelRequestsQuery } from "#/features/admin/models/queries.ts";
import { RequestedModel } from "#/features/admin/models/requested-model.tsx";
import { RequestingOrganizations } from "#/features/admin/models/requesting-organizations.tsx";
import { RunRequestedModel } from "#/features/admin/models/run-requested-model.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { feather } from "#/lib/feather.ts";
import { formatCount } from "#/lib/format.ts";

const COLUMNS: Column<ModelRequest>[] = [
  { header: t`Model`, cell: (request) => <RequestedModel request={request} /> },
  {
    header: t`Requests`,
    cell: ({ request_count }) => formatCount(request_count),
    isNumeric: true,
    hideWhenNarrow: true,
  },
  {
    header: t`Requested by`,
    cell: (request) => <RequestingOrganizations request={request} />,
    hideWhenNarrow: true,
  },
  {
    header: t`First asked`,
    cell: ({ first_requested_at }) => <RelativeTime date={first_requested_at} />,
    hideWhenNarrow: true,
  },
  {
    header: t`Last asked`,
    cell: ({ last_requested_at }) => <RelativeTime date={last_requested_at} />,
    hideWhenNarrow: true,
  },
  { header: t`Here`, cell: (request) => <RunRequestedModel request={request} /> },
];

/** Models that organizations have requested, with bulk import. */
export default function AdminModelRequestsPage() {
  const list = useListState([]);
  const requests = useQuery(modelRequestsQuery({ page: list.page, perPage: 50 }));
  const selection = useSelection();
  const bulk = useBulkAction(
    async (ids) => (await feather.admin.models.import({ ids: [...ids] })).results,
    ADMIN_QUERY_KEYS,
    selection,
  );
  return (
    <ListPage
      title={t`Model requests`}
      description={t`Models that organizations ask for, the most requested first. Download and run one here, run it on a backend, or leave it. Who asked for a model gets a mail when it runs.`}
      list={list}
      query={requests}
      columns={COLUMNS}
      idOf={({ model_id }) => model_id}
      selection={selection}
      selectionActions={<BulkButton label={t`Import`} ids={selection.ids} bulkAction={bulk} />}
      empty={{
        title: t`Nobody asks for a model`,
        text: t`People who look for one that does not run here can ask for it on its page. It stands here then.`,
      }}
    >
      {bulk.results ? (
        <BulkResults
          title={t`Import`}
          doneLabel={t`is in the catalogue`}
          results={bulk.results}
          close={bulk.clearResults}
        />
      ) : null}
    </ListPage>
  );
}

/** Loads what the page reads first. */
export function prefetch(client: QueryClient, { search }: PageLocation): Promise<void> {
  const { page } = readList(search, []);
  return client.prefetchQuery(modelRequestsQuery({ page, perPage: 50 }));
}
