import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";

/** An error as `ErrorView` shows it. */
export type PageError = {
  statusCode?: number;
  statusMessage?: string;
  message?: string;
  /** May be JSON with `code` and `message`, like the error envelope of the API. */
  data?: string;
  /** The id of the request in the server's log. */
  requestId?: string | null;
};

/** Returns the text of an error: "Not found" for 404, else message and code from its data, else its status message. */
export function formatPageError({ statusCode, statusMessage, message, data }: PageError): string {
  if (statusCode === 404) return t`Not found`;
  const inner = parse(data);
  if (inner) return t`${inner.message} (code: ${inner.code})`;
  return statusMessage || message || t`Something went wrong.`;
}

function parse(data: string | undefined): { message: string; code: string } | null {
  try {
    const value = JSON.parse(data ?? "") as { message?: unknown; code?: unknown } | null;
    return typeof value?.message === "string" && typeof value.code === "string"
      ? { message: value.message, code: value.code }
      : null;
  } catch {
    return null;
  }
}

/** An error in place of a page, with links that help. */
export function ErrorView({ error, children }: { error: PageError; children?: ReactNode }) {
  const text = formatPageError(error);
  // A 404 may carry a more specific message, such as the unknown path.
  const detail = error.statusCode === 404 && error.message && error.message !== text ? error.message : null;
  return (
    <div className="page-width error-view">
      <h1 className="h1">
        {t`Error`} {error.statusCode ?? ""}
      </h1>
      <p className="lede mt-4">{text}</p>
      {detail ? <p className="mono muted mt-2">{detail}</p> : null}
      {children}
      {error.requestId ? (
        <p className="small faint mt-2">
          <Trans>Request {error.requestId}</Trans>
        </p>
      ) : null}
      <Link className="btn mt-6" to="/">
        {t`Back to home`}
      </Link>
      {error.statusCode === 404 ? (
        <p className="muted mt-6">
          <Trans>
            What was here may have another address now. Look among the{" "}
            <Link className="link" to="/models">
              models
            </Link>{" "}
            or in the{" "}
            <Link className="link" to="/docs">
              docs
            </Link>
            .
          </Trans>
        </p>
      ) : null}
    </div>
  );
}
