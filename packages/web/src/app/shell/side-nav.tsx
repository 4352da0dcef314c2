import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { useUser } from "#/entities/session/user.ts";
import { storage } from "#/lib/browser/storage.ts";
import { readFoldedGroups, toggleFoldedGroup } from "./folded-groups.ts";
import { NAV_AREA_LABELS, type NavArea } from "./nav-areas.ts";
import { listNavGroups } from "./nav-groups.ts";
import { NavLinks } from "./nav-links.tsx";
import { OrganizationMenu } from "./organization-menu.tsx";

/** The sidebar of the pages of an area. On narrow screens its links are in the menu of the page. */
export function SideNav({ area }: { area: NavArea }) {
  const { user } = useUser();
  const aside = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const [folded, setFolded] = useState(() => readFoldedGroups(storage));
  const folds = { folded, toggle: (id: string) => setFolded(toggleFoldedGroup(storage, id)) };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another link
  useEffect(() => showCurrentLink(aside.current), [pathname]);
  return (
    <aside className="side" ref={aside}>
      {user && area === "account" ? <OrganizationMenu user={user} /> : null}
      <NavLinks groups={listNavGroups(area, user?.is_admin ?? false)} label={NAV_AREA_LABELS[area]} folds={folds} />
    </aside>
  );
}

/** Scrolls the sidebar alone, to the link of the current page where that is out of sight. */
function showCurrentLink(aside: HTMLElement | null): void {
  const link = aside?.querySelector("[aria-current]")?.getBoundingClientRect();
  if (!aside || !link) return;
  const { top, bottom } = aside.getBoundingClientRect();
  if (link.top < top || link.bottom > bottom) aside.scrollTop += link.top - (top + bottom) / 2;
}
