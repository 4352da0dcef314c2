import { t } from "@lingui/core/macro";
import { DateRange } from "#/components/ui/date-range/date-range.tsx";
import type { Day } from "#/components/ui/date-range/days.ts";
import type { Period } from "./period.ts";
import styles from "./period-picker.module.css";

type Props = { period: Period; today: Day; onChange(period: Period): void };

/** Chooses the period of the usage page, which ends today at the latest. */
export function PeriodPicker({ period, today, onChange }: Props) {
  return (
    <div className={styles.period}>
      <span className="visually-hidden" id="period">
        {t`Period`}
      </span>
      <DateRange
        aria-labelledby="period"
        value={period}
        today={today}
        max={today}
        isOpenEnded={false}
        onChange={onChange}
      />
    </div>
  );
}
