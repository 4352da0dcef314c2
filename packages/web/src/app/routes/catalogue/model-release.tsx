import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router-dom";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { releaseDaysQuery } from "#/entities/models/family-queries.ts";
import { usePageHead } from "#/features/content/use-page-head.ts";
import { ModelList } from "#/features/families/model-list.tsx";
import { ReleaseCalendar } from "#/features/families/release-calendar.tsx";
import { adjacentDays, formatLongDay, isDay, type ReleaseDay } from "#/features/families/release-days.ts";
import styles from "./model-release.module.css";

/** The models released on a day. */
export default function ModelReleasePage() {
  const { date = "" } = useParams();
  const valid = isDay(date);
  usePageHead(valid ? t`Models released ${date}` : undefined, t`Models by the day they came out.`);
  if (!valid) return <ErrorView error={{ statusCode: 404 }} />;
  return <Release date={date} />;
}

function Release({ date }: { date: string }) {
  const { data: days } = useQuery(releaseDaysQuery);
  const { earlier, later } = days ? adjacentDays(days, date) : { earlier: undefined, later: undefined };
  const isEmpty = days !== undefined && !days.some((day) => day.date === date);
  return (
    <div className={`page-width ${styles.page}`}>
      <p className="small faint mb-2">
        <Trans>
          <Link to="/models?sort=-released_date">Models</Link> / Releases
        </Trans>
      </p>
      <h1 className="h1">
        <time dateTime={date}>{formatLongDay(date)}</time>
      </h1>
      <p className="lede mt-3">
        {isEmpty ? t`No model of this catalogue came out on that day.` : t`Models that came out on this day.`}
      </p>
      <p className="small mt-3">
        <a className="link" href="/model-releases/rss.xml">
          {t`Follow releases by RSS`}
        </a>
      </p>
      <nav className={`row between wrapping mt-5 ${styles.releaseDays}`} aria-label={t`Days of release`}>
        {earlier ? <DayLink day={earlier} rel="prev" label={t`Before`} /> : <span />}
        {later ? <DayLink day={later} rel="next" label={t`After`} /> : <span />}
      </nav>
      {isEmpty ? null : (
        <section className="mt-5" aria-label={t`Models`}>
          <ModelList label={t`this day`} scope={{ released: date }} />
        </section>
      )}
      {days && days.length > 0 ? <ReleaseCalendar days={days} date={date} /> : null}
    </div>
  );
}

function DayLink({ day, rel, label }: { day: ReleaseDay; rel: "prev" | "next"; label: string }) {
  return (
    <Link to={`/model-releases/${day.date}`} rel={rel}>
      <span className="tiny faint">{label}</span>
      <span className="num">{day.date}</span>
      <span className="small muted">{plural(day.model_count, { one: "# model", other: "# models" })}</span>
    </Link>
  );
}
