import { t } from "@lingui/core/macro";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { OneTimeLink } from "#/features/deployments/one-time-link.tsx";
import styles from "./deployment-open.module.css";

/** The target of a one-time link to a deployment; works without an account. */
export default function DeploymentOpenPage() {
  const [params, setParams] = useSearchParams();
  // Kept in state, so that the token can be removed from the URL once it is used.
  const [token] = useState(params.get("login"));
  // The page is prerendered without a query string.
  const [isHere, setIsHere] = useState(false);
  useEffect(() => setIsHere(true), []);
  return (
    <div className={`page-width ${styles.page}`}>
      {token ? (
        <OneTimeLink token={token} onUsed={() => setParams(new URLSearchParams(), { replace: true })} />
      ) : (
        <>
          <h1 className="h2">{t`Open a deployment`}</h1>
          {isHere ? (
            <EmptyState
              title={t`This link is not whole`}
            >{t`Ask for a new one, and open it as it was sent.`}</EmptyState>
          ) : null}
        </>
      )}
    </div>
  );
}
