import { Plural } from "@lingui/react/macro";

type Props = { days: number; checked: boolean; setChecked(checked: boolean): void };

/** Lets a person start a plan with its trial. */
export function TrialChoice({ days, checked, setChecked }: Props) {
  return (
    <label className="check mt-4">
      <input type="checkbox" checked={checked} onChange={(event) => setChecked(event.target.checked)} />
      <Plural value={days} one="Try it for # day first" other="Try it for # days first" />
    </label>
  );
}
