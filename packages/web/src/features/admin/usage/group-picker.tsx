import { Trans } from "@lingui/react/macro";
import { GROUPS, type Group, MOST_GROUPS } from "./report.ts";

/** Chooses up to three groupings of a report, in order of selection. */
export function GroupPicker({ groups, set }: { groups: readonly Group[]; set(groups: Group[]): void }) {
  return (
    <fieldset className="groups">
      <legend className="label">
        <Trans>Grouped by, up to {MOST_GROUPS}</Trans>
      </legend>
      <div className="row wraps" style={{ gap: 6 }}>
        {GROUPS.map(({ value, label }) => {
          const on = groups.includes(value);
          const others = groups.filter((group) => group !== value);
          return (
            <button
              key={value}
              type="button"
              className={`chip${on ? " on" : ""}`}
              aria-pressed={on}
              disabled={!on && groups.length >= MOST_GROUPS}
              onClick={() => set(on ? others : [...groups, value])}
            >
              {label}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}
