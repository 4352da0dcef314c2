import { useId } from "react";
import { Link } from "react-router-dom";
import type { Folds } from "./folded-groups.ts";
import type { NavGroup } from "./nav-groups.ts";
import styles from "./shell.module.css";

type Props = { group: NavGroup; current: string | null; folds: Folds | null };

/** A group of links. While it is folded, only the link of the current page is shown. */
export function NavGroupLinks({ group: { id, title, links }, current, folds }: Props) {
  const list = useId();
  const isFolded = title !== null && (folds?.folded.includes(id) ?? false);
  const shown = isFolded ? links.filter(({ to }) => to === current) : links;
  return (
    <div>
      {title === null ? null : folds === null ? (
        <p className="label">{title}</p>
      ) : (
        <button
          type="button"
          className={`label ${styles.fold}`}
          aria-expanded={!isFolded}
          aria-controls={list}
          onClick={() => folds.toggle(id)}
        >
          {title}
          <svg width="12" height="12" viewBox="0 0 12 12" fill="none" stroke="currentColor" aria-hidden="true">
            <path d="m3 4.500 3 3 3-3" />
          </svg>
        </button>
      )}
      <div id={list}>
        {shown.map(({ label, to }) => (
          <Link key={to} to={to} aria-current={to === current ? "page" : undefined}>
            {label}
          </Link>
        ))}
      </div>
    </div>
  );
}
