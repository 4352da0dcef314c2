import { Trans } from "@lingui/react/macro";
import styles from "./group-picker.module.css";
import { GROUP_OPTIONS, type GroupKey, MAX_GROUPS } from "./report.ts";

/** Chooses up to three groupings of a report, in order of selection. */
export function GroupPicker({ groups, onChange }: { groups: readonly GroupKey[]; onChange(groups: GroupKey[]): void }) {
  return (
    <fieldset className={styles.groups}>
      <legend className="label">
        <Trans>Grouped by, up to {MAX_GROUPS}</Trans>
      </legend>
      <div className={`row wrapping ${styles.choices}`}>
        {GROUP_OPTIONS.map(({ value, label }) => {
          const isChosen = groups.includes(value);
          const others = groups.filter((group) => group !== value);
          return (
            <button
              key={value}
              type="button"
              className={`chip${isChosen ? " on" : ""}`}
              aria-pressed={isChosen}
              disabled={!isChosen && groups.length >= MAX_GROUPS}
              onClick={() => onChange(isChosen ? others : [...groups, value])}
            >
              {label}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}
