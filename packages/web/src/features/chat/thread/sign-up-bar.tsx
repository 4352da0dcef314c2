import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import styles from "../chat.module.css";

/** Replaces the composer for signed-out visitors: links to sign up and log in. */
export function SignUpBar({ returnTo }: { returnTo: string }) {
  return (
    <div className={`${styles.compose} ${styles.visitor} row between wrapping`}>
      <p className="muted">{t`To ask something yourself you need an account on this server.`}</p>
      <span className="row">
        <Link className="btn" to={paths.register(returnTo)}>
          {t`Sign up`}
        </Link>
        <Link className="btn primary" to={paths.login(returnTo)}>
          {t`Log in`}
        </Link>
      </span>
    </div>
  );
}
