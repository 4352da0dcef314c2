import { t } from "@lingui/core/macro";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";

/** A placeholder with the height of PlanView. */
export function PlanSkeleton() {
  return (
    <div aria-busy="true">
      <span className="visually-hidden">{t`Loading the plan`}</span>
      <div className="kpis mt-6">
        {[t`Plan`, t`Price`, t`State`].map((label) => (
          <div key={label}>
            <p className="label">{label}</p>
            <p className="v">
              <Skeleton width={110} height={28} />
            </p>
            <Skeleton width={140} />
          </div>
        ))}
      </div>
      <p className="mt-4">
        <Skeleton width={220} />
      </p>
      <p className="mt-4">
        <Skeleton width={110} />
      </p>
    </div>
  );
}
