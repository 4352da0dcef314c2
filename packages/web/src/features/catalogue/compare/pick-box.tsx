import { t } from "@lingui/core/macro";
import styles from "./pick-box.module.css";

type Props = { id: string; isPicked: boolean; isFull: boolean; toggle(): void };

/** A checkbox that selects a model for the comparison. */
export function PickBox({ id, isPicked, isFull, toggle }: Props) {
  return (
    <label className={`check ${styles.pick}`} title={isFull && !isPicked ? t`Four are picked already` : t`Compare`}>
      <input type="checkbox" checked={isPicked} disabled={isFull && !isPicked} onChange={toggle} />
      <span className="visually-hidden">{t`Compare ${id}`}</span>
    </label>
  );
}
