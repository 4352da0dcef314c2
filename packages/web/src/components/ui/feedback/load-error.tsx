import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { errorMessage } from "#/lib/error-message.ts";

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
