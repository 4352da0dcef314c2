import { t } from "@lingui/core/macro";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import styles from "./lanes-example.module.css";

const UNITS = 4;
const LANES = ["1", "2", "3", "4"] as const;
/** Made-up requests that four units could serve within a minute; the styles place each in its lanes. */
const REQUESTS = [
  { model: "8B", place: styles.small1 },
  { model: "8B", place: styles.small2 },
  { model: "32B", place: `${styles.wide} ${styles.medium1}` },
  { model: "671B", place: `${styles.wide} ${styles.large}` },
  { model: null, place: `${styles.waits} ${styles.waiting}` },
  { model: "8B", place: styles.small3 },
  { model: "32B", place: `${styles.wide} ${styles.medium2}` },
];

/** A figure with one lane for each unit and requests as bars, which shows why a request has to wait. */
export function LanesExample() {
  return (
    <figure className={styles.example}>
      <div className={styles.field} aria-hidden="true">
        {LANES.map((lane) => (
          <i key={lane} className={styles.lane} />
        ))}
        {REQUESTS.map(({ model, place }) => (
          <span key={place} className={`${styles.request} ${place}`}>
            {model ?? t`waits`}
          </span>
        ))}
      </div>
      <figcaption className="small muted">
        <Barbs active={UNITS} total={UNITS} label="" />{" "}
        {t`An example: four units are four lanes. While a 671B model holds all of them, the next request waits its turn, or is told when to come back.`}
      </figcaption>
    </figure>
  );
}
