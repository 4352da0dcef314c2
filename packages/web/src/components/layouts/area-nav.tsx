import { t } from "@lingui/core/macro";
import { ACCOUNT_NAV, ADMIN_NAV, SideNav } from "./side-nav.tsx";

/** The navigation beside the pages of an area. */
export function AreaNav({ area }: { area: "account" | "admin" }) {
  return area === "account" ? (
    <SideNav groups={ACCOUNT_NAV} label={t`Account`} />
  ) : (
    <SideNav groups={ADMIN_NAV} label={t`Admin`} />
  );
}
