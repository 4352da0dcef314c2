import { t } from "@lingui/core/macro";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import styles from "../deployments.module.css";

/** Skeleton of the page while the deployment is loading. */
export function DeploymentSkeleton() {
  return (
    <div className={styles.deployment} aria-busy="true">
      <span className="visually-hidden" role="status">
        {t`Loading the deployment`}
      </span>
      <Skeleton width={220} height={90} />
      <Skeleton height={56} />
      <div className={styles.two}>
        <Skeleton height={420} />
        <Skeleton height={420} />
      </div>
    </div>
  );
}
