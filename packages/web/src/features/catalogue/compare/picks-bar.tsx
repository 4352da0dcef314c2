import { plural, t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import styles from "../catalogue.module.css";
import { MIN_PICKS } from "./picks.ts";

type Props = { picks: readonly string[]; to: string; remove(id: string): void; clear(): void };

/** A sticky bar with the models selected for the comparison, and a link to it. */
export function PicksBar({ picks, to, remove, clear }: Props) {
  return (
    <section className={styles.picks} aria-label={t`Picked to compare`}>
      <ul className="row wrapping">
        {picks.map((id) => (
          <li key={id}>
            <button type="button" className="chip" onClick={() => remove(id)} aria-label={t`Do not compare ${id}`}>
              <ModelId id={id} /> <span aria-hidden="true">×</span>
            </button>
          </li>
        ))}
      </ul>
      <div className="row">
        <button type="button" className="plain" onClick={clear}>
          {t`Clear`}
        </button>
        {picks.length < MIN_PICKS ? (
          <span className="small muted">{t`Pick one more`}</span>
        ) : (
          <Link className="btn primary" to={to}>
            {plural(picks.length, { one: "Compare # model", other: "Compare # models" })}
          </Link>
        )}
      </div>
    </section>
  );
}
