import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import styles from "./stats.module.css";

/** A number with its label; `value` is undefined while it is loading. */
export type Stat = { label: string; value: ReactNode | undefined; note?: ReactNode; to?: string };

/** Numbers in a row, with skeletons while they are loading. */
export function StatRow({ stats }: { stats: readonly Stat[] }) {
  return (
    <div className={`kpis ${styles.five}`}>
      {stats.map(({ label, value, note, to }) => (
        <div key={label}>
          <div className="label">{label}</div>
          {value === undefined ? (
            <div className="v">
              <Skeleton width={80} height={28} />
            </div>
          ) : to ? (
            <Link className="v block" to={to}>
              {value}
            </Link>
          ) : (
            <div className="v">{value}</div>
          )}
          <div className="faint small num">{note ?? " "}</div>
        </div>
      ))}
    </div>
  );
}
