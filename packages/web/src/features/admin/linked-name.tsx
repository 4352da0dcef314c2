import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import styles from "./linked-name.module.css";

type LinkedNameProps = { name: string; id: string; to?: string; detail?: string | null };

/** A name with a detail below that distinguishes equal names, linked, and with a button to copy the id. */
export function LinkedName({ name, id, to, detail }: LinkedNameProps) {
  return (
    <span className={styles.personCell}>
      <span className="user-text" title={id}>
        {to ? (
          <Link to={to}>
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <bdi>{name}</bdi>
        )}
        {detail ? (
          <span className="small faint below">
            <bdi>{detail}</bdi>
          </span>
        ) : null}
      </span>
      <CopyButton text={id} label={t`Copy id`} subject={t`of ${name}`} className={`plain ${styles.copyId}`} />
    </span>
  );
}
