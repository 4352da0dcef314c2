import { plural, t } from "@lingui/core/macro";
import { State } from "#/components/ui/bits.tsx";
import { count } from "#/lib/format.ts";
import type { BackendTest } from "./queries.ts";

/** The result of testing a backend. */
export function TestResult({ name, result, close }: { name: string; result: BackendTest; close(): void }) {
  return (
    <section className="results" aria-label={t`Test of ${name}`}>
      <div className="row between">
        <h2 className="h4" role="status">
          <State tier={result.ok ? "good" : "bad"}>
            {name} {result.ok ? t`answers` : t`does not answer`}
          </State>
        </h2>
        <button type="button" className="btn ghost" onClick={close}>
          {t`Close`}
        </button>
      </div>
      <p className="small mid mt-2 stranger">
        {result.error ??
          plural(result.models.length, {
            one: `# model in ${count(result.duration_ms)} ms.`,
            other: `# models in ${count(result.duration_ms)} ms.`,
          })}
      </p>
      {result.models.length > 0 ? <p className="mono small mt-2 stranger">{result.models.join(", ")}</p> : null}
    </section>
  );
}
