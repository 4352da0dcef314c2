import type { BulkResult } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import styles from "./bulk-results.module.css";

/** The results of a bulk action, failures first. */
export function BulkResults({
  title,
  doneLabel,
  results,
  nameOf = (id) => id,
  close,
}: {
  title: string;
  doneLabel: string;
  results: readonly BulkResult[];
  /** Returns the name to show for an id. */
  nameOf?: (id: string) => string;
  close(): void;
}) {
  const failed = results.filter(({ ok }) => !ok);
  const ordered = [...failed, ...results.filter(({ ok }) => ok)];
  return (
    <section className={styles.results} aria-label={title}>
      <div className="row between">
        <h2 className="h4">
          <span role="status">
            <Trans>
              {title}: {results.length - failed.length} of {results.length} done
            </Trans>
          </span>
        </h2>
        <button type="button" className="btn ghost" onClick={close}>
          {t`Close`}
        </button>
      </div>
      <ul>
        {ordered.map(({ id, ok, error }) => (
          <li key={id}>
            <span className="mono user-text">{nameOf(id)}</span>
            <StateBadge tier={ok ? "good" : "bad"}>{ok ? doneLabel : t`failed`}</StateBadge>
            {error ? <span className="muted small user-text">{error}</span> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
