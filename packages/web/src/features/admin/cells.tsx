import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { CopyButton } from "#/components/ui/code.tsx";
import { formatRelativeTime } from "#/lib/format.ts";
import styles from "./cells.module.css";

/** A time relative to now; the exact time as tooltip. */
export function RelativeTime({ date, emptyText = t`never` }: { date: Date | null; emptyText?: string }) {
  if (date === null) return <span className="faint">{emptyText}</span>;
  return (
    <time className="small muted num whitespace-nowrap" dateTime={date.toISOString()} title={date.toISOString()}>
      {formatRelativeTime(date)}
    </time>
  );
}

/** An id, wrapped wherever it has to be. */
export function Id({ children }: { children: string }) {
  return <span className="mono small faint user-text">{children}</span>;
}

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

/** A name written by a user, with a smaller detail below. */
export function NameWithDetail({ name, detail }: { name: string; detail?: string | null }) {
  return (
    <>
      <div className="strong user-text" dir="auto">
        {name}
      </div>
      {detail ? (
        <div className="small faint user-text" dir="auto">
          {detail}
        </div>
      ) : null}
    </>
  );
}
