import { can, type ReceiptList, type User } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { ExportButton } from "#/components/list/export-button.tsx";
import { List } from "#/components/list/list.tsx";
import { useListState } from "#/components/list/use-list-state.ts";
import { keysQuery } from "#/entities/api-keys/queries.ts";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { feather } from "#/lib/feather.ts";
import { formatCount } from "#/lib/format.ts";
import { queries } from "#/lib/queries.ts";
import type { Period } from "../period.ts";
import { modelsQuery, requestsQuery } from "./queries.ts";
import { ReceiptPanel } from "./receipt-panel.tsx";
import { createRequestColumns, REQUEST_FILE_COLUMNS } from "./request-columns.tsx";
import { createRequestFilters, showsNewest, toRequestsQuery } from "./request-filters.ts";

/** The query parameter with the id of the request whose receipt is open. */
const OPEN_PARAMETER = "request";

type Props = {
  user: Pick<User, "id" | "permissions">;
  period: Period;
  /** What an organization without requests is shown. */
  empty: { title: string; text: ReactNode; action: ReactNode };
};

/** The requests of a period: filtered, summed, as a file, and each with its receipt in a panel. */
export function RequestsList({ user, period, empty }: Props) {
  const [params, setParams] = useSearchParams();
  const [isLive, setLive] = useState(false);
  const options = useFilterOptions(user, period);
  const [places, setPlaces] = useState<readonly string[]>([]);
  const filters = useMemo(() => createRequestFilters({ ...options, places }), [options, places]);
  const list = useListState(filters);
  const query = toRequestsQuery(period, list);
  const mayFollow = showsNewest(list);
  const requests = useQuery(requestsQuery(query, isLive && mayFollow));
  const newPlaces = (requests.data?.items ?? []).flatMap(({ place }) =>
    place && !places.includes(place) ? place : [],
  );
  if (newPlaces.length > 0) setPlaces([...places, ...new Set(newPlaces)]);
  const names = useMemo(() => toNames(options), [options]);
  const open = params.get(OPEN_PARAMETER);
  const columns = createRequestColumns(names, ({ id }) => withParameter(params, id));
  return (
    <>
      <List
        title={t`Requests`}
        name="requests"
        isCards
        list={list}
        query={requests}
        columns={columns}
        idOf={({ id }) => id}
        empty={empty}
        tools={
          <>
            <label className="check">
              <input
                type="checkbox"
                checked={isLive && mayFollow}
                disabled={!mayFollow}
                onChange={(event) => setLive(event.target.checked)}
              />
              <span>{t`Follow new requests`}</span>
            </label>
            <ExportButton
              label={t`Export requests as CSV`}
              file="requests.csv"
              total={requests.data?.pagination.total_items ?? 0}
              rows={() => feather.usage.activity.requests({ ...query, page: 1, perPage: 100 })}
              idOf={({ id }) => id}
              columns={REQUEST_FILE_COLUMNS}
            />
          </>
        }
      >
        <Totals totals={requests.data?.totals} />
      </List>
      <ReceiptPanel
        id={open}
        listed={requests.data?.items.find(({ id }) => id === open)}
        names={names}
        close={() => setParams(withoutReceipt, { replace: true })}
      />
    </>
  );
}

/** The sums of what the filters leave; nothing while there is none. */
function Totals({ totals }: { totals: ReceiptList["totals"] }) {
  if (totals === undefined || totals.request_count === 0) return null;
  const { request_count, input_tokens, output_tokens, total_cost_nano_usd } = totals;
  return (
    <p className="num mt-4" role="status">
      {plural(request_count, { one: "# request", other: "# requests" })} ·{" "}
      {t`${formatCount(input_tokens)} tokens in, ${formatCount(output_tokens)} out`} ·{" "}
      <strong>{formatNanoUsd(total_cost_nano_usd)}</strong>
    </p>
  );
}

/** What the filters offer. Who may not manage members filters by themselves alone. */
function useFilterOptions(user: Props["user"], period: Period) {
  const keys = useQuery(keysQuery).data?.items;
  const members = useQuery(queries.organization.members.list.queryOptions()).data?.items;
  const models = useQuery(modelsQuery(period)).data?.items;
  const seesAll = can(user, "manage_members");
  const { id } = user;
  return useMemo(
    () => ({
      keys: keys ?? [],
      members: (members ?? []).filter(({ user_id }) => seesAll || user_id === id),
      models: (models ?? []).flatMap(({ group }) => group.model ?? []),
    }),
    [keys, members, models, seesAll, id],
  );
}

const toNames = ({ keys, members }: ReturnType<typeof useFilterOptions>) => ({
  keys: new Map(keys.map(({ id, name }) => [id, name])),
  members: new Map(members.map(({ user_id, name }) => [user_id, name])),
});

function withParameter(params: URLSearchParams, id: string): string {
  const next = new URLSearchParams(params);
  next.set(OPEN_PARAMETER, id);
  return next.toString();
}

function withoutReceipt(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete(OPEN_PARAMETER);
  return next;
}
