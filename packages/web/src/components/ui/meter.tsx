import styles from "./meter.module.css";

type Props = {
  /** The part that is used, from 0 to 1. */
  share: number;
  /** What is measured. */
  label: string;
  /** The value in words, such as “$3.20 of $10.00”. */
  valueText: string;
};

/** A bar that fills as something is used up; it has another colour when nothing is left. */
export function Meter({ share, label, valueText }: Props) {
  const isFull = share >= 1;
  return (
    <meter
      className={isFull ? `${styles.meter} ${styles.full}` : styles.meter}
      value={isFull ? 1 : share}
      aria-label={label}
      aria-valuetext={valueText}
    />
  );
}
