import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { faultOf } from "#/lib/fault.ts";
import { leaveFor } from "#/lib/leave.ts";

/** What went wrong, said aloud, with what helps beside it. Nothing where nothing went wrong. */
export function FaultNotice({ error, children }: { error: unknown; children?: ReactNode }) {
  if (error === null || error === undefined) return null;
  const { message, way } = faultOf(error);
  return (
    <div className="notice fault" role="alert">
      <p className="stranger">{message}</p>
      {way && "to" in way ? (
        <Link className="link" to={way.to}>
          {way.label}
        </Link>
      ) : null}
      {way && "bank" in way ? (
        <button type="button" className="btn" onClick={() => leaveFor(way.bank)}>
          {way.label}
        </button>
      ) : null}
      {children}
    </div>
  );
}

/** A part of a page that could not be read. */
export function ReadFault({ what, error, again }: { what: string; error: unknown; again(): void }) {
  return (
    <div className="notice fault mt-4" role="alert">
      <p>
        {what} cannot be read just now. <span className="mid">{faultOf(error).message}</span>
      </p>
      <button type="button" className="btn" onClick={again}>
        Try again
      </button>
    </div>
  );
}
