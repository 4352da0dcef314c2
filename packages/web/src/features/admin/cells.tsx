import { t } from "@lingui/core/macro";
import { moment } from "#/lib/format.ts";

/** A moment in words near now; the exact one where somebody points at it. */
export function Moment({ date, none = t`never` }: { date: Date | null; none?: string }) {
  if (date === null) return <span className="dim">{none}</span>;
  return (
    <time className="small mid num whitespace-nowrap" dateTime={date.toISOString()} title={date.toISOString()}>
      {moment(date)}
    </time>
  );
}

/** An id, which is as long as it is. */
export function Id({ children }: { children: string }) {
  return <span className="mono small dim stranger">{children}</span>;
}

/** Words of strangers with something smaller below. */
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
