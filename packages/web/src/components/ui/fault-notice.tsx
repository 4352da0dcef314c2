import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { faultOf } from "#/lib/fault.ts";
import { leaveFor } from "#/lib/leave.ts";

type Props = {
  error: unknown;
  /** Opens a form for another card on the current page, instead of a link to the payment methods. */
  anotherCard?: () => void;
  children?: ReactNode;
};

/** An alert with the message of an error and a link that helps to resolve it; nothing if there is no error. */
export function FaultNotice({ error, anotherCard, children }: Props) {
  if (error === null || error === undefined) return null;
  const { message, way } = faultOf(error);
  return (
    <div className="notice fault" role="alert">
      <p className="stranger">{message}</p>
      {way && "to" in way && way.to === paths.paymentMethods && anotherCard ? (
        <button type="button" className="btn" onClick={anotherCard}>
          {way.label}
        </button>
      ) : way && "to" in way ? (
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

/** Shown in place of a part of a page that could not be loaded, with a retry button. */
export function ReadFault({ what, error, again }: { what: string; error: unknown; again(): void }) {
  return (
    <div className="notice fault mt-4" role="alert">
      <p>
        <Trans>{what} cannot be read just now.</Trans> <span className="mid">{faultOf(error).message}</span>
      </p>
      <button type="button" className="btn" onClick={again}>
        {t`Try again`}
      </button>
    </div>
  );
}
