import { formatCount } from "#/lib/format.ts";
import { Skeleton } from "../loading/skeleton.tsx";
import styles from "./figure-band.module.css";

/** A band over the whole width with counts and their labels; a count that is undefined is being loaded. */
export function FigureBand({ figures }: { figures: readonly (readonly [count: number | undefined, label: string])[] }) {
  return (
    <div className={styles.kpiBand}>
      <div className="page-width kpis">
        {figures.map(([count, label]) => (
          <div key={label}>
            <p className="v">{count === undefined ? <Skeleton width={72} height={28} /> : formatCount(count)}</p>
            <p className="small faint">{label}</p>
          </div>
        ))}
      </div>
    </div>
  );
}
