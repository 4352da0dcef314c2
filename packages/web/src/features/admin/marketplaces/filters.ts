import type { Query } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { Filter, ListValues } from "#/components/list/list-params.ts";
import { MARKETPLACES } from "#/entities/billing/marketplaces.ts";

const MARKETPLACE_FILTER: Filter = {
  name: "provider",
  label: t`Marketplace`,
  kind: "choice",
  options: Object.entries(MARKETPLACES).map(([value, label]) => ({ value, label })),
};

/** The filters of purchases. */
export const PURCHASE_FILTERS: readonly Filter[] = [
  { name: "search", label: t`Search`, kind: "search", placeholder: t`Organization, purchase or customer` },
  {
    name: "status",
    label: t`State`,
    kind: "choice",
    options: [
      { value: "pending", label: t`Pending` },
      { value: "active", label: t`Active` },
      { value: "suspended", label: t`Suspended` },
      { value: "canceled", label: t`Canceled` },
    ],
  },
  MARKETPLACE_FILTER,
];

/** The filters of metered usage. */
export const USAGE_FILTERS: readonly Filter[] = [
  { name: "search", label: t`Search`, kind: "search", placeholder: t`Organization or purchase` },
  {
    name: "status",
    label: t`State`,
    kind: "choice",
    options: [
      { value: "open", label: t`Open` },
      { value: "due", label: t`Due` },
      { value: "sent", label: t`Sent` },
      { value: "accepted", label: t`Accepted` },
      { value: "refused", label: t`Refused` },
    ],
  },
  MARKETPLACE_FILTER,
];

/** The filters of payouts. */
export const PAYOUT_FILTERS: readonly Filter[] = [MARKETPLACE_FILTER];

const PER_PAGE = 50;

/** Returns the query for the purchases of a page. */
export const toPurchasesQuery = ({ values, page }: ListValues) =>
  ({ ...values, page, perPage: PER_PAGE }) as Query<"admin.marketplaces.list">;

/** Returns the query for the metered usage of a page. */
export const toUsageQuery = ({ values, page }: ListValues) =>
  ({ ...values, page, perPage: PER_PAGE }) as Query<"admin.marketplaces.usage">;

/** Returns the query for the payouts of a page. */
export const toPayoutsQuery = ({ values, page }: ListValues) =>
  ({ ...values, page, perPage: PER_PAGE }) as Query<"admin.marketplaces.payouts.list">;
