import { Link } from "react-router-dom";
import styles from "./next-links.module.css";

/** Links to further pages. */
export function NextLinks({ links }: { links: readonly { to: string; label: string; text: string }[] }) {
  return (
    <ul className={styles.nextLinks}>
      {links.map(({ to, label, text }) => (
        <li key={to}>
          <Link className="link" to={to}>
            {label}
          </Link>
          <p className="small muted mt-1">{text}</p>
        </li>
      ))}
    </ul>
  );
}
