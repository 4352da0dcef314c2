import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { CopyBlock } from "#/components/ui/code/copy-block.tsx";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { codeQuery } from "./queries.ts";
import styles from "./referral-link.module.css";

/** The user's referral link and code, to copy. */
export function ReferralLink() {
  const { data, isError, error, refetch } = useQuery(codeQuery);
  if (isError) return <LoadError subject={t`Your code`} error={error} retry={() => void refetch()} />;
  if (!data)
    return (
      <div className="mt-4" aria-busy="true">
        <span className="visually-hidden">{t`Loading your link`}</span>
        <Skeleton height={60} />
      </div>
    );
  return (
    <div className={styles.linkBlock}>
      <CopyBlock text={data.url} />
      <p className="small muted mt-2">
        <Trans>
          The code alone: <code className="mono">{data.code}</code>
        </Trans>{" "}
        <CopyButton text={data.code} label={t`Copy code`} />
      </p>
    </div>
  );
}
