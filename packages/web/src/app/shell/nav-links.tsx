import { useLocation } from "react-router-dom";
import type { Folds } from "./folded-groups.ts";
import { NavGroupLinks } from "./nav-group-links.tsx";
import type { NavGroup } from "./nav-groups.ts";

type Props = { groups: readonly NavGroup[]; label: string; folds: Folds | null };

/** The links of a side navigation. Without `folds`, groups cannot be folded. */
export function NavLinks({ groups, label, folds }: Props) {
  const { pathname } = useLocation();
  const paths = groups.flatMap(({ links }) => links.map(({ to }) => to));
  const current = findCurrentPath(paths, pathname);
  return (
    <nav aria-label={label}>
      {groups.map((group) => (
        <NavGroupLinks key={group.id} group={group} current={current} folds={folds} />
      ))}
    </nav>
  );
}

/** Links that are current on an exact match only, because other pages are below their path. */
const EXACT_MATCH_PATHS: ReadonlySet<string> = new Set(["/", "/account", "/admin"]);

/** Returns the link that leads to the page at `pathname`, or to the nearest one above it; null where none does. */
function findCurrentPath(paths: readonly string[], pathname: string): string | null {
  const found = paths.filter((path) =>
    EXACT_MATCH_PATHS.has(path) ? path === pathname : `${pathname}/`.startsWith(`${path}/`),
  );
  return found.toSorted((a, b) => b.length - a.length)[0] ?? null;
}
