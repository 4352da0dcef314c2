import { t } from "@lingui/core/macro";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";

/** A placeholder while the price is loading. */
export function PreviewSkeleton() {
  return (
    <div aria-busy="true">
      <span className="visually-hidden">{t`Reckoning the price`}</span>
      <Skeleton height={40} />
      <div className="mt-2">
        <Skeleton height={40} />
      </div>
      <p className="mt-3">
        <Skeleton width={220} />
      </p>
    </div>
  );
}
