import { useUser } from "#/entities/session/user.ts";
import { NAV_AREA_LABELS, type NavArea } from "./nav-areas.ts";
import { listNavGroups } from "./nav-groups.ts";
import { NavLinks } from "./nav-links.tsx";

/** The links of an area for the menu of narrow screens. */
export function MenuNav({ area }: { area: NavArea }) {
  const { user } = useUser();
  return <NavLinks groups={listNavGroups(area, user?.is_admin ?? false)} label={NAV_AREA_LABELS[area]} folds={null} />;
}
