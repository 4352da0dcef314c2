import { can, type Permission, type User } from "@feather/sdk";
import { Trans } from "@lingui/react/macro";
import { Link } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import styles from "./notices.module.css";

type ReadOnlyNoticeProps = { user: User | null; permission: Permission; what: string };

/** Tells users without permission to edit who may; nothing for others. */
export function ReadOnlyNotice({ user, permission, what }: ReadOnlyNoticeProps) {
  if (user === null || can(user, permission)) return null;
  const { name } = user.organization;
  return (
    <p className={`${styles.note} mt-4`}>
      <Trans>
        Your role in <bdi>{name}</bdi> only looks: you see {what}, and editors and admins change them.
      </Trans>
    </p>
  );
}

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
