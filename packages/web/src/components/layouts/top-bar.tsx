import { t } from "@lingui/core/macro";
import { type FormEvent, type ReactNode, useState } from "react";
import { Link, NavLink, useLocation, useNavigate } from "react-router-dom";
import { Sheet } from "#/components/ui/dialogs/sheet.tsx";
import { Logo } from "#/components/ui/labels/logo.tsx";
import { paths } from "#/config/paths.ts";
import { useModifierKey } from "#/lib/browser/modifier-key.ts";
import { openPalette } from "#/lib/events/palette-event.ts";
import { getProductName } from "#/lib/product.ts";
import styles from "./top-bar.module.css";

const MAIN_LINKS = [
  { to: "/models", label: t`Models` },
  { to: "/chat", label: t`Chat` },
  { to: "/docs", label: t`Docs` },
  { to: "/pricing", label: t`Pricing` },
  { to: "/status", label: t`Status` },
];

type Props = {
  /** What a signed-in user has in place of the links to log in and sign up; null for a visitor. */
  account: ReactNode;
  /** Whether the session is still loading. */
  loading: boolean;
  /** More links for the menu of narrow screens. */
  menu: ReactNode;
  wide?: boolean;
};

/** The bar at the top of every page: navigation, search and account. */
export function TopBar({ account, loading, menu, wide = false }: Props) {
  const [open, setOpen] = useState(false);
  const { pathname, search } = useLocation();
  // Signing in returns to the current page.
  const currentPath = ["/", "/login", "/register"].includes(pathname) ? undefined : pathname + search;
  return (
    <header className={`${styles.top}${wide ? " wide" : ""}`}>
      <a className={styles.skip} href="#content">
        {t`Skip to content`}
      </a>
      <div className={styles.in}>
        <Link className="brand" to="/">
          <Logo />
          {getProductName()}
        </Link>
        <nav aria-label={t`Main`}>
          {MAIN_LINKS.map(({ to, label }) => (
            <NavLink key={to} to={to}>
              {label}
            </NavLink>
          ))}
        </nav>
        <div className="end">
          <ModelSearch />
          {account !== null ? (
            account
          ) : loading ? null : (
            <>
              <Link className="btn ghost hide-small" to={paths.login(currentPath)}>
                {t`Log in`}
              </Link>
              <Link className="btn primary hide-small" to={paths.register(currentPath)}>
                {t`Sign up`}
              </Link>
            </>
          )}
          <button
            type="button"
            className={`btn ghost icon ${styles.menuButton}`}
            aria-label={t`Find a page, a model or an action`}
            onClick={openPalette}
          >
            <SearchIcon size={16} />
          </button>
          <button
            type="button"
            className={`btn icon ${styles.menuButton}`}
            aria-label={t`Menu`}
            onClick={() => setOpen(true)}
          >
            <svg
              width="16"
              height="16"
              viewBox="0 0 16 16"
              stroke="currentColor"
              strokeWidth="1.6"
              strokeLinecap="round"
              aria-hidden="true"
            >
              <path d="M2 5h12M2 11h12" />
            </svg>
          </button>
        </div>
      </div>
      <Sheet open={open} onClose={() => setOpen(false)} title={t`Menu`}>
        <div onClickCapture={() => setOpen(false)}>
          <nav aria-label={t`Menu`}>
            {MAIN_LINKS.map(({ to, label }) => (
              <Link key={to} to={to}>
                {label}
              </Link>
            ))}
            {account !== null ? null : (
              <>
                <Link to={paths.login(currentPath)}>{t`Log in`}</Link>
                <Link to={paths.register(currentPath)}>{t`Sign up`}</Link>
              </>
            )}
          </nav>
          {menu}
        </div>
      </Sheet>
    </header>
  );
}

function SearchIcon({ size }: { size: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      aria-hidden="true"
    >
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 3.500 3.500" />
    </svg>
  );
}

function ModelSearch() {
  const modifier = useModifierKey();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  function submit(event: FormEvent): void {
    event.preventDefault();
    navigate(paths.models({ search: text.trim() }));
  }
  return (
    <search>
      <form className={styles.find} onSubmit={submit}>
        <SearchIcon size={14} />
        <input
          type="search"
          aria-label={t`Search models`}
          placeholder={t`Search models`}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <kbd>{modifier} K</kbd>
      </form>
    </search>
  );
}
