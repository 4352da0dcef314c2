import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { describeError } from "#/lib/error-message.ts";
import { navigateToExternalUrl } from "#/lib/navigation/external-navigation.ts";

type Props = {
  error: unknown;
  /** Opens a form for another card on the current page, instead of a link to the payment methods. */
  onOtherCard?: () => void;
  children?: ReactNode;
};

/** An alert with the message of an error and a link that helps to resolve it; nothing if there is no error. */
export function ErrorNotice({ error, onOtherCard, children }: Props) {
  if (error === null || error === undefined) return null;
  const { message, action } = describeError(error);
  return (
    <div className="notice fault" role="alert">
      <p className="user-text">{message}</p>
      {action && "to" in action && action.to === paths.paymentMethods && onOtherCard ? (
        <button type="button" className="btn" onClick={onOtherCard}>
          {action.label}
        </button>
      ) : action && "to" in action ? (
        <Link className="link" to={action.to}>
          {action.label}
        </Link>
      ) : null}
      {action && "bankUrl" in action ? (
        <button type="button" className="btn" onClick={() => navigateToExternalUrl(action.bankUrl)}>
          {action.label}
        </button>
      ) : null}
      {children}
    </div>
  );
}
