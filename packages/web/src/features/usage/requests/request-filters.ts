import type { ApiKey, OrganizationMember, Query } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { Filter, ListValues } from "#/components/list/list-params.ts";
import type { SelectOption } from "#/components/ui/controls/select-props.ts";
import { OUTCOME_LABELS } from "../outcomes.ts";
import { type Period, toTimeRange } from "../period.ts";
import { describePlace } from "./describe-receipt.ts";

/** The query of a list of requests. */
export type RequestsQuery = Query<"usage.activity.requests">;

const PER_PAGE = 25;
const OLDEST_FIRST = "started_at";
const NEWEST_FIRST = "-started_at";

/** The directions in which the time of requests is sorted. */
export const TIME_SORTS = [
  { value: NEWEST_FIRST, direction: "descending" },
  { value: OLDEST_FIRST, direction: "ascending" },
] as const;

type Options = {
  keys: readonly Pick<ApiKey, "id" | "name">[];
  /** Those by whom the reader may filter. */
  members: readonly Pick<OrganizationMember, "user_id" | "name">[];
  models: readonly string[];
  /** Where listed requests were answered. */
  places: readonly string[];
};

/** Filters without options, which read the same values from an address. */
export const createEmptyFilters = (): readonly Filter[] =>
  createRequestFilters({ keys: [], members: [], models: [], places: [] });

/** Returns the filters of the requests. */
export const createRequestFilters = ({ keys, members, models, places }: Options): readonly Filter[] => [
  { name: "id", label: t`Request id`, kind: "search", placeholder: t`Id or its beginning, of any time` },
  {
    ...createChoice("api_key_id", t`Key`),
    options: [{ value: "none", label: t`this site` }, ...keys.map(({ id, name }) => ({ value: id, label: name }))],
  },
  { ...createChoice("model", t`Model`), options: models.map((id) => ({ value: id, label: id })) },
  {
    ...createChoice("user_id", t`Member`),
    options: members.map(({ user_id, name }) => ({ value: user_id, label: name })),
  },
  { name: "outcome", label: t`Result`, kind: "choice", options: listOutcomes() },
  {
    ...createChoice("place", t`Answered at`),
    options: [...new Set(["server", ...places])].map((place) => ({ value: place, label: describePlace(place) })),
  },
  {
    name: "sort",
    label: t`Order`,
    kind: "sort",
    initial: NEWEST_FIRST,
    options: [
      { value: NEWEST_FIRST, label: t`Newest` },
      { value: OLDEST_FIRST, label: t`Oldest` },
    ],
  },
];

const createChoice = (name: string, label: string) => ({ name, label, kind: "choice", isOpen: true }) as const;

const listOutcomes = (): SelectOption[] =>
  Object.entries(OUTCOME_LABELS).map(([value, { label }]) => ({ value, label }));

/** Whether a list shows the newest requests, so that new ones appear in it. */
export const showsNewest = ({ values, page }: ListValues): boolean => page === 1 && values.sort === undefined;

/** Returns the query of a page of requests. An id is searched in all time, since it says when it was. */
export function toRequestsQuery(period: Period, { values, page }: ListValues): RequestsQuery {
  const { id, ...conditions } = values;
  return {
    ...(id === undefined ? toTimeRange(period) : { id: toRequestId(id), start: 0 }),
    ...conditions,
    page,
    perPage: PER_PAGE,
  } as RequestsQuery;
}

/** Returns a text as the beginning of an id: without what no id contains. */
const toRequestId = (text: string): string =>
  `req_${text.replace(/^req_/, "").replaceAll(/[^0-9A-Za-z_]/g, "")}`.slice(0, 64);
