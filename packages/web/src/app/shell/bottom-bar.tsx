import { t } from "@lingui/core/macro";
import { NavLink } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import styles from "./shell.module.css";

/** Outlines of 20 by 20 pixels. */
const LINKS = [
  { to: paths.home, label: t`Home`, icon: "M3 9.500 10 3.500l7 6M5 8.500V16.500h10V8.500" },
  { to: "/models", label: t`Models`, icon: "M3.500 5h13M3.500 10h13M3.500 15h8" },
  { to: "/chat", label: t`Chat`, icon: "M3.500 4.500h13v9h-7l-3.500 3v-3h-2.500z" },
  {
    to: paths.apiKeys,
    label: t`Keys`,
    icon: "M9.500 10.500 16.500 3.500M13.500 6.500l2.500 2.500M10 13a3.250 3.250 0 1 1-6.500 0 3.250 3.250 0 0 1 6.500 0z",
  },
  { to: paths.usage, label: t`Usage`, icon: "M4.500 16.500v-5M10 16.500v-13M15.500 16.500v-8" },
];

/** The navigation at the bottom of phones, for signed-in users. */
export function BottomBar() {
  return (
    <nav className={styles.bottomBar} aria-label={t`Main pages`}>
      {LINKS.map(({ to, label, icon }) => (
        <NavLink key={to} to={to} end={to === paths.home}>
          <svg
            width="20"
            height="20"
            viewBox="0 0 20 20"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeLinejoin="round"
            strokeLinecap="round"
            aria-hidden="true"
          >
            <path d={icon} />
          </svg>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
