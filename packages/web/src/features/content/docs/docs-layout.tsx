import type { Heading } from "@feather/markdown/content-node";
import { t } from "@lingui/core/macro";
import { type ReactNode, useEffect, useRef } from "react";
import { NavLink, useLocation } from "react-router-dom";
import contentStyles from "../content.module.css";
import { DOCS } from "../pages.ts";
import { SECTIONS } from "../sections.ts";
import styles from "./docs-layout.module.css";
import { DocsSearch } from "./docs-search.tsx";
import { REFERENCE_NAV } from "./reference-nav.ts";
import { useHeadingInView } from "./use-heading-in-view.ts";

type Props = { headings?: readonly Heading[]; isWide?: boolean; children: ReactNode };

/** The layout of the docs: navigation and search, the page, and its table of contents. */
export function DocsLayout({ headings = [], isWide = false, children }: Props) {
  return (
    <div className={isWide ? `${styles.docs} wide` : styles.docs}>
      <aside className={contentStyles.docsSide}>
        <DocsSearch />
        <DocsNav />
      </aside>
      <main id="content" className={styles.docsMain} tabIndex={-1}>
        {children}
      </main>
      {isWide ? null : (
        <div className={styles.docsToc}>{headings.length > 1 ? <TableOfContents headings={headings} /> : null}</div>
      )}
    </div>
  );
}

const NAV_GROUPS = [
  ...SECTIONS.map((title) => ({
    title: title as string,
    links: DOCS.filter(({ meta }) => meta.section === title).map(({ slug, meta }) => ({
      label: meta.title,
      to: `/docs/${slug}`,
    })),
  })),
  REFERENCE_NAV,
];

/** The navigation; collapsed on small screens. */
function DocsNav() {
  const { pathname } = useLocation();
  const details = useRef<HTMLDetailsElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page folds the navigation
  useEffect(() => details.current?.removeAttribute("open"), [pathname]);
  const links = NAV_GROUPS.map(({ title, links }) => (
    <div key={title}>
      <p className="label">{title}</p>
      <ul>
        {links.map(({ label, to }) => (
          <li key={to}>
            <NavLink to={to} end>
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </div>
  ));
  return (
    <>
      <nav className={`${styles.docsNav} wide`} aria-label={t`Docs`}>
        {links}
      </nav>
      <details className={`${styles.docsNav} ${styles.smallOnly}`} ref={details}>
        <summary>{t`All pages of the docs`}</summary>
        <nav aria-label={t`Docs`}>{links}</nav>
      </details>
    </>
  );
}

function TableOfContents({ headings }: { headings: readonly Heading[] }) {
  const current = useHeadingInView(headings);
  return (
    <nav aria-label={t`On this page`}>
      <p className="label">{t`On this page`}</p>
      <ul>
        {headings.map(({ id, text, level }) => (
          <li key={id} className={level === 3 ? styles.deeper : undefined}>
            <a href={`#${id}`} aria-current={id === current ? "location" : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
