import { NavLink, useLocation } from "react-router-dom";
import type { NavGroup } from "./nav-groups.ts";

/** Links that are active on an exact match only, because other pages are below their path. */
const EXACT_MATCH_PATHS: ReadonlySet<string> = new Set(["/", "/account", "/admin"]);

/** The links of a side navigation. */
export function NavLinks({ groups, label }: { groups: readonly NavGroup[]; label: string }) {
  const { pathname } = useLocation();
  const paths = groups.flatMap(({ links }) => links.map(({ to }) => to));
  return (
    <nav aria-label={label}>
      {groups.map(({ title, links }) => (
        <div key={title ?? ""}>
          {title === null ? null : <p className="label">{title}</p>}
          {links.map(({ label: text, to }) => (
            <NavLink key={to} to={to} end={EXACT_MATCH_PATHS.has(to) || hasNearerLink(to, paths, pathname)}>
              {text}
            </NavLink>
          ))}
        </div>
      ))}
    </nav>
  );
}

/** Whether another link leads to the page at `pathname`, or to one above it that is below `to`. */
const hasNearerLink = (to: string, paths: readonly string[], pathname: string): boolean =>
  paths.some((path) => path.startsWith(`${to}/`) && `${pathname}/`.startsWith(`${path}/`));
