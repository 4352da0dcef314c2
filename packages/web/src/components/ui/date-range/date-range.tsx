import { Popover } from "@base-ui/react/popover";
import { plural, t } from "@lingui/core/macro";
import { type FormEvent, useId, useState } from "react";
import { ControlProvider } from "../controls/control-provider.tsx";
import { Calendar } from "./calendar.tsx";
import styles from "./date-range.module.css";
import { addDays, type Day, type DayRange, isDay, sortRange } from "./days.ts";
import { formatRange } from "./format-days.ts";

type Props = {
  /** The id of the element that is the label. */
  "aria-labelledby": string;
  value: DayRange;
  onChange(range: DayRange): void;
  /** The day of the presets' end. */
  today: Day;
  /** The last day that can be chosen. */
  max?: Day;
  disabled?: boolean;
  /** Whether a side may be left open. Otherwise there is no preset for any time. */
  isOpenEnded?: boolean;
};

const PRESET_DAYS = [1, 7, 30, 90];

/** Chooses a period of days in UTC: from presets, in a calendar, or by typing. */
export function DateRange({ value, onChange, today, max, disabled = false, isOpenEnded = true, ...label }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  /** The first day of a range whose second one is yet to be chosen. */
  const [start, setStart] = useState<Day | null>(null);
  function select(range: DayRange): void {
    setStart(null);
    setOpen(false);
    onChange(range);
  }
  return (
    <ControlProvider>
      <Popover.Root
        open={isOpen}
        onOpenChange={(open) => {
          setStart(null);
          setOpen(open);
        }}
      >
        <Popover.Trigger
          id={id}
          className={`input ${styles.trigger}`}
          disabled={disabled}
          aria-labelledby={`${label["aria-labelledby"]} ${id}`}
        >
          <span>{formatRange(value)}</span>
          <CalendarIcon />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner
            className={styles.positioner}
            sideOffset={4}
            align="start"
            // Below the head of the page, whose controls it would cut off.
            collisionPadding={{ top: 64, right: 8, bottom: 8, left: 8 }}
          >
            <Popover.Popup className={styles.popup} aria-labelledby={label["aria-labelledby"]}>
              <Presets today={today} hasAnyTime={isOpenEnded} onSelect={select} />
              <div className={styles.days}>
                <DayFields value={value} onChange={onChange} />
                <p className="tiny faint" role="status">
                  {start === null ? t`Choose the first day. Days are in UTC.` : t`Now choose the last day.`}
                </p>
                <Calendar
                  range={start === null ? value : { from: start, to: "" }}
                  {...{ today, max }}
                  onSelect={(day) => (start === null ? setStart(day) : select(sortRange({ from: start, to: day })))}
                />
              </div>
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </ControlProvider>
  );
}

type PresetsProps = { today: Day; hasAnyTime: boolean; onSelect(range: DayRange): void };

function Presets({ today, hasAnyTime, onSelect }: PresetsProps) {
  return (
    <ul className={styles.presets} aria-label={t`Periods`}>
      {PRESET_DAYS.map((days) => (
        <li key={days}>
          <button type="button" onClick={() => onSelect({ from: addDays(today, 1 - days), to: today })}>
            {plural(days, { one: "Today", other: "Last # days" })}
          </button>
        </li>
      ))}
      {hasAnyTime ? (
        <li>
          <button type="button" onClick={() => onSelect({ from: "", to: "" })}>
            {t`Any time`}
          </button>
        </li>
      ) : null}
    </ul>
  );
}

/** Both days as text, for those who know them; each may be left empty. */
function DayFields({ value, onChange }: Pick<Props, "value" | "onChange">) {
  const commit = (change: Partial<DayRange>) => onChange(sortRange({ ...value, ...change }));
  return (
    <div className={styles.fields}>
      <DayField key={`from ${value.from}`} label={t`From`} value={value.from} onCommit={(from) => commit({ from })} />
      <DayField key={`to ${value.to}`} label={t`Until`} value={value.to} onCommit={(to) => commit({ to })} />
    </div>
  );
}

type DayFieldProps = { label: string; value: Day; onCommit(day: Day): void };

function DayField({ label, value, onCommit }: DayFieldProps) {
  const id = useId();
  const [text, setText] = useState(value);
  const isInvalid = text.trim() !== "" && !isDay(text.trim());
  function commit(event?: FormEvent): void {
    event?.preventDefault();
    if (!isInvalid && text.trim() !== value) onCommit(text.trim());
  }
  return (
    <form onSubmit={commit}>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="input num"
        inputMode="numeric"
        autoComplete="off"
        placeholder={t`YYYY-MM-DD`}
        aria-invalid={isInvalid}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => commit()}
      />
    </form>
  );
}

function CalendarIcon() {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" aria-hidden="true">
      <rect x="1.5" y="2.5" width="11" height="10" rx="1.5" />
      <path d="M1.5 5.500h11M4.500 1v3M9.500 1v3" />
    </svg>
  );
}
