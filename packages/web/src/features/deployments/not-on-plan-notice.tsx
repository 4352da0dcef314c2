import { Trans } from "@lingui/react/macro";
import { Link } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import styles from "./notices.module.css";

/** Tells that the plan does not include a feature, before a form is filled in. */
export function NotOnPlanNotice({ planName, what }: { planName: string; what: string }) {
  return (
    <p className={`${styles.note} mt-4`}>
      <Trans>
        The plan {planName} has no {what}.{" "}
        <Link className="link" to={paths.pricing}>
          See the plans that have
        </Link>
        .
      </Trans>
    </p>
  );
}
