import { t } from "@lingui/core/macro";

/** An area of the site with a side navigation. */
export type NavArea = "account" | "admin";

/** The label of each area's navigation. */
export const NAV_AREA_LABELS: Record<NavArea, string> = { account: t`Account`, admin: t`Admin` };
