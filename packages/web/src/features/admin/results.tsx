import type { Schemas } from "@feather/sdk";
import { State } from "#/components/ui/bits.tsx";

export type BulkResult = Schemas["BulkResult"];

/** What became of each of many, those that failed first. */
export function Results({
  title,
  done,
  results,
  nameOf = (id) => id,
  close,
}: {
  title: string;
  done: string;
  results: readonly BulkResult[];
  /** What an id is called. */
  nameOf?: (id: string) => string;
  close(): void;
}) {
  const failed = results.filter(({ ok }) => !ok);
  const ordered = [...failed, ...results.filter(({ ok }) => ok)];
  return (
    <section className="results" aria-label={title}>
      <div className="row between">
        <h2 className="h4" role="status">
          {title}: {results.length - failed.length} of {results.length} done
        </h2>
        <button type="button" className="btn ghost" onClick={close}>
          Close
        </button>
      </div>
      <ul>
        {ordered.map(({ id, ok, error }) => (
          <li key={id}>
            <span className="mono stranger">{nameOf(id)}</span>
            <State tier={ok ? "good" : "bad"}>{ok ? done : "failed"}</State>
            {error ? <span className="mid small stranger">{error}</span> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
