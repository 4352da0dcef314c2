import { plural, t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import styles from "./release-calendar.module.css";
import { formatMonth, groupByMonth, listYears, type ReleaseDay } from "./release-days.ts";

/** The release days of a year by month, with links to other years. */
export function ReleaseCalendar({ days, date }: { days: readonly ReleaseDay[]; date: string }) {
  const year = date.slice(0, 4);
  return (
    <section className={styles.releaseCalendar} aria-labelledby="calendar">
      <div className="row between wrapping">
        <h2 className="h3" id="calendar">
          {t`Releases of ${year}`}
        </h2>
        <nav className="row wrapping small" aria-label={t`Years`}>
          {listYears(days).map(({ year: other, latest }) => (
            <Link
              key={other}
              className={other === year ? "num" : "link num"}
              to={paths.release(latest)}
              aria-current={other === year ? "true" : undefined}
            >
              {other}
            </Link>
          ))}
        </nav>
      </div>
      <dl className="mt-4">
        {groupByMonth(days, year).map(({ month, days: inMonth }) => (
          <div key={month}>
            <dt className="label">{formatMonth(month)}</dt>
            <dd>
              {inMonth.map(({ date: day, model_count: models }) => (
                <Link
                  key={day}
                  className="num"
                  to={paths.release(day)}
                  aria-current={day === date ? "date" : undefined}
                >
                  {Number(day.slice(8))}
                  {models > 1 ? <sup aria-hidden="true">{models}</sup> : null}
                  <span className="visually-hidden">
                    {" "}
                    {formatMonth(month)}, {plural(models, { one: "# model", other: "# models" })}
                  </span>
                </Link>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p className="tiny faint mt-3">{t`A raised figure is the number of models of a day that brought several.`}</p>
    </section>
  );
}
