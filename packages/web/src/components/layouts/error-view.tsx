import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";

/** What went wrong, in the form that the framework of errors gives it. */
export type PageError = {
  statusCode?: number;
  statusMessage?: string;
  message?: string;
  /** A text that may hold JSON with code and message. */
  data?: string;
  /** To find it in the server's log. */
  requestId?: string | null;
};

/** The words of an error: 'Not found' for 404; message and code of its data; else what the status or the error says. */
export function errorText({ statusCode, statusMessage, message, data }: PageError): string {
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

/** An error in place of a page, with what helps in this case. */
export function ErrorView({ error, children }: { error: PageError; children?: ReactNode }) {
  const text = errorText(error);
  // What an unknown address says beside its status.
  const more = error.statusCode === 404 && error.message && error.message !== text ? error.message : null;
  return (
    <div className="wrap error-view">
      <h1 className="h1">
        {t`Error`} {error.statusCode ?? ""}
      </h1>
      <p className="lede mt-4">{text}</p>
      {more ? <p className="mono mid mt-2">{more}</p> : null}
      {children}
      {error.requestId ? (
        <p className="small dim mt-2">
          <Trans>Request {error.requestId}</Trans>
        </p>
      ) : null}
      <Link className="btn mt-6" to="/">
        {t`Back to home`}
      </Link>
      {error.statusCode === 404 ? (
        <p className="mid mt-6">
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
