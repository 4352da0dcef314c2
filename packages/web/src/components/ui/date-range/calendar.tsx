import { t } from "@lingui/core/macro";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { directionOf } from "#/i18n/locale.ts";
import { i18n } from "#/i18n/runtime.ts";
import styles from "./date-range.module.css";
import { addDays, addMonths, clampDay, type Day, type DayRange, getWeekPosition, isWithin, listWeeks } from "./days.ts";
import { formatFullDay, formatMonth, formatWeekday, getFirstWeekday } from "./format-days.ts";

type Props = {
  range: DayRange;
  /** The day that is marked as today. */
  today: Day;
  /** The first day that can be chosen. */
  min?: Day | undefined;
  /** The last day that can be chosen. */
  max?: Day | undefined;
  onSelect(day: Day): void;
};

/** The days of one month. Arrow keys move over days and weeks, Page Up and Page Down over months. */
export function Calendar({ range, today, min, max, onSelect }: Props) {
  const chosen = range.to || range.from;
  const [shown, setShown] = useState(chosen);
  const [active, setActive] = useState(chosen || today);
  const [isMoving, setMoving] = useState(false);
  // A day that was typed is shown too, but the keyboard stays where it is.
  if (chosen !== shown) {
    setShown(chosen);
    setActive(chosen || today);
    setMoving(false);
  }
  const grid = useRef<HTMLTableElement>(null);
  const firstWeekday = getFirstWeekday();
  useEffect(() => {
    if (isMoving) grid.current?.querySelector<HTMLElement>(`[data-day="${active}"]`)?.focus();
  }, [active, isMoving]);
  function onKeyDown(event: KeyboardEvent): void {
    const next = moveFrom(active, event.key, firstWeekday);
    if (next === null) return;
    event.preventDefault();
    setMoving(true);
    setActive(clampDay(next, min, max));
  }
  function showMonth(count: number): void {
    setMoving(false);
    setActive(addMonths(active, count));
  }
  return (
    <div className={styles.calendar}>
      <div className={styles.month}>
        <MonthButton
          label={t`Month before`}
          sign="‹"
          disabled={min !== undefined && addMonths(active, -1).slice(0, 7) < min.slice(0, 7)}
          onClick={() => showMonth(-1)}
        />
        <span aria-live="polite">{formatMonth(active)}</span>
        <MonthButton
          label={t`Month after`}
          sign="›"
          disabled={max !== undefined && addMonths(active, 1).slice(0, 7) > max.slice(0, 7)}
          onClick={() => showMonth(1)}
        />
      </div>
      <table ref={grid} aria-label={formatMonth(active)}>
        <WeekdayNames week={listWeeks(active, firstWeekday)[0] ?? []} />
        <tbody>
          {listWeeks(active, firstWeekday).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} data-within={isWithin(day, range) || undefined}>
                  <button
                    type="button"
                    data-day={day}
                    data-other={day.slice(0, 7) !== active.slice(0, 7) || undefined}
                    aria-current={day === today ? "date" : undefined}
                    aria-pressed={isSelected(day, range)}
                    onKeyDown={onKeyDown}
                    tabIndex={day === active ? 0 : -1}
                    aria-label={formatFullDay(day)}
                    disabled={clampDay(day, min, max) !== day}
                    onClick={() => {
                      setActive(day);
                      onSelect(day);
                    }}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const isSelected = (day: Day, { from, to }: DayRange): boolean => day === from || day === to;

type MonthButtonProps = { label: string; sign: string; disabled?: boolean; onClick(): void };

function MonthButton({ label, sign, ...button }: MonthButtonProps) {
  return (
    <button type="button" className={styles.turn} aria-label={label} {...button}>
      <span aria-hidden="true">{sign}</span>
    </button>
  );
}

function WeekdayNames({ week }: { week: readonly Day[] }) {
  return (
    <thead>
      <tr>
        {week.map((day) => {
          const { short, long } = formatWeekday(day);
          return (
            <th key={day} scope="col" abbr={long}>
              {short}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** Returns the day to which a key moves, or null for a key that does not move. */
function moveFrom(day: Day, key: string, firstWeekday: number): Day | null {
  const forward = directionOf(i18n.locale) === "rtl" ? -1 : 1;
  switch (key) {
    case "ArrowRight":
      return addDays(day, forward);
    case "ArrowLeft":
      return addDays(day, -forward);
    case "ArrowDown":
      return addDays(day, 7);
    case "ArrowUp":
      return addDays(day, -7);
    case "PageDown":
      return addMonths(day, 1);
    case "PageUp":
      return addMonths(day, -1);
    case "Home":
      return addDays(day, -getWeekPosition(day, firstWeekday));
    case "End":
      return addDays(day, 6 - getWeekPosition(day, firstWeekday));
    default:
      return null;
  }
}
