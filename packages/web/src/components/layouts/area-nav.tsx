import { t } from "@lingui/core/macro";
import { ACCOUNT_NAV, ADMIN_NAV, SideNav } from "./side-nav.tsx";

/** The side navigation of the account pages or the admin area. */
export function AreaNav({ area }: { area: "account" | "admin" }) {
  return area === "account" ? (
    <SideNav groups={ACCOUNT_NAV} label={t`Account`} />
  ) : (
    <SideNav groups={ADMIN_NAV} label={t`Admin`} />
  );
}
