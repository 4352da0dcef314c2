import type { BackendTest } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { StateBadge } from "#/components/ui/primitives.tsx";
import { formatCount } from "#/lib/format.ts";
import styles from "../admin.module.css";

/** The result of testing a backend. */
export function TestResult({ name, result, close }: { name: string; result: BackendTest; close(): void }) {
  return (
    <section className={styles.results} aria-label={t`Test of ${name}`}>
      <div className="row between">
        <h2 className="h4" role="status">
          <StateBadge tier={result.ok ? "good" : "bad"}>
            {name} {result.ok ? t`answers` : t`does not answer`}
          </StateBadge>
        </h2>
        <button type="button" className="btn ghost" onClick={close}>
          {t`Close`}
        </button>
      </div>
      <p className="small mid mt-2 stranger">
        {result.error ??
          plural(result.models.length, {
            one: `# model in ${formatCount(result.duration_ms)} ms.`,
            other: `# models in ${formatCount(result.duration_ms)} ms.`,
          })}
      </p>
      {result.models.length > 0 ? <p className="mono small mt-2 stranger">{result.models.join(", ")}</p> : null}
    </section>
  );
}
