import styles from "./meter.module.css";

type Props = {
  /** The part that is used, from 0 to 1. */
  share: number;
  /** The name of the measured amount. */
  label: string;
  /** The value in words, such as “$3.20 of $10.00”. */
  valueText: string;
};

/** A bar that fills as something is used up; it has another colour when nothing is left. */
export function Meter({ share, label, valueText }: Props) {
  const isFull = share >= 1;
  const value = isFull ? 1 : share;
  return (
    <>
      {/* Browsers draw the element itself in shapes of their own. */}
      <meter className="visually-hidden" value={value} aria-label={label} aria-valuetext={valueText} />
      <svg className={isFull ? `${styles.bar} ${styles.full}` : styles.bar} aria-hidden="true">
        <rect width={`${Math.round(value * 100)}%`} height="100%" />
      </svg>
    </>
  );
}
