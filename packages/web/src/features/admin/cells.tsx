import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { CopyButton } from "#/components/ui/code.tsx";
import { moment } from "#/lib/format.ts";

/** A time relative to now; the exact time as tooltip. */
export function Moment({ date, none = t`never` }: { date: Date | null; none?: string }) {
  if (date === null) return <span className="dim">{none}</span>;
  return (
    <time className="small mid num whitespace-nowrap" dateTime={date.toISOString()} title={date.toISOString()}>
      {moment(date)}
    </time>
  );
}

/** An id, wrapped wherever it has to be. */
export function Id({ children }: { children: string }) {
  return <span className="mono small dim stranger">{children}</span>;
}

type WhoProps = { name: string; id: string; to?: string; below?: string | null };

/** A name with a detail below that distinguishes equal names, linked, and with a button to copy the id. */
export function Who({ name, id, to, below }: WhoProps) {
  return (
    <span className="person-cell">
      <span className="stranger" title={id}>
        {to ? (
          <Link to={to}>
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <bdi>{name}</bdi>
        )}
        {below ? (
          <span className="small dim below">
            <bdi>{below}</bdi>
          </span>
        ) : null}
      </span>
      <CopyButton text={id} label={t`Copy id`} what={t`of ${name}`} className="plain copy-id" />
    </span>
  );
}

/** A name written by a user, with a smaller detail below. */
export function Named({ name, below }: { name: string; below?: string | null }) {
  return (
    <>
      <div className="strong stranger" dir="auto">
        {name}
      </div>
      {below ? (
        <div className="small dim stranger" dir="auto">
          {below}
        </div>
      ) : null}
    </>
  );
}
