import { can, type Permission, type User } from "@feather/sdk";
import { Trans } from "@lingui/react/macro";
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
