import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { describeError, errorMessage } from "#/lib/error-message.ts";
import { navigateToExternalUrl } from "#/lib/external-navigation.ts";

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

/** Shown in place of a part of a page that could not be loaded, with a retry button. */
export function LoadError({ subject, error, retry }: { subject: string; error: unknown; retry(): void }) {
  return (
    <div className="notice fault mt-4" role="alert">
      <p>
        <Trans>{subject} cannot be read just now.</Trans> <span className="muted">{errorMessage(error)}</span>
      </p>
      <button type="button" className="btn" onClick={retry}>
        {t`Try again`}
      </button>
    </div>
  );
}
