import { plural, t } from "@lingui/core/macro";
import { Star } from "#/components/ui/labels/star.tsx";
import { formatCount, formatDecimal } from "#/lib/format.ts";
import styles from "./rating-distribution.module.css";

type Props = { average: number; total: number; histogram: readonly number[] };

/** The number of reviews for each number of stars. */
export function RatingDistribution({ average, total, histogram }: Props) {
  const rows = histogram.map((number, index) => ({ stars: index + 1, number })).reverse();
  return (
    <section className={styles.distribution} aria-label={t`Ratings`}>
      <div>
        <p className={styles.average}>{formatDecimal(average)}</p>
        <p className="small faint num">{plural(total, { one: "# review", other: "# reviews" })}</p>
      </div>
      <ul>
        {rows.map(({ stars, number }) => (
          <li key={stars}>
            <span className={`row num ${styles.bar}`}>
              {stars} <Star filled size={12} />
            </span>
            <meter min={0} max={total} value={number} aria-label={t`${stars} of 5 stars`} />
            <span className="numeric num">{formatCount(number)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
