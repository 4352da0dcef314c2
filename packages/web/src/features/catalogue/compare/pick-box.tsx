import { t } from "@lingui/core/macro";

type Props = { id: string; picked: boolean; full: boolean; toggle(): void };

/** A checkbox that selects a model for the comparison. */
export function PickBox({ id, picked, full, toggle }: Props) {
  return (
    <label className="check pick" title={full && !picked ? t`Four are picked already` : t`Compare`}>
      <input type="checkbox" checked={picked} disabled={full && !picked} onChange={toggle} />
      <span className="visually-hidden">{t`Compare ${id}`}</span>
    </label>
  );
}
