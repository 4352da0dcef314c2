import { t } from "@lingui/core/macro";
import { useUser } from "#/entities/session/user.ts";
import { listNavGroups } from "./nav-groups.ts";
import { NavLinks } from "./nav-links.tsx";
import { OrganizationMenu } from "./organization-menu.tsx";

type Area = "account" | "admin";

const LABELS: Record<Area, string> = { account: t`Account`, admin: t`Admin` };

/** The sidebar beside the pages of an area. Narrow screens have its links in their menu instead. */
export function SideNav({ area }: { area: Area }) {
  const { user } = useUser();
  return (
    <aside className="side">
      {user && area === "account" ? <OrganizationMenu user={user} /> : null}
      <NavLinks groups={listNavGroups(area, user?.is_admin ?? false)} label={LABELS[area]} />
    </aside>
  );
}

/** The links of an area for the menu of narrow screens. */
export function MenuNav({ area }: { area: Area }) {
  const { user } = useUser();
  return <NavLinks groups={listNavGroups(area, user?.is_admin ?? false)} label={LABELS[area]} />;
}
