import { can } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { QueryClient } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { paths } from "#/config/paths.ts";
import { ImpersonationNotice } from "#/entities/session/impersonation-notice.tsx";
import { useUser } from "#/entities/session/user.ts";
import { DeploymentWizard } from "#/features/deployments/create/deployment-wizard.tsx";
import { NotOnPlanNotice } from "#/features/deployments/not-on-plan-notice.tsx";
import { providersQuery } from "#/features/deployments/queries.ts";

/** The wizard that creates a deployment, or the reason why the user may not create one. */
export default function DeploymentCreatePage() {
  const { user } = useUser();
  const plan = user?.organization.current_subscription?.plan;
  const head = (
    <>
      <Link className="small faint" to={paths.deployments}>
        {t`Deployments`}
      </Link>
      <h1 className="h2">{t`Create deployment`}</h1>
    </>
  );
  if (user && !can(user, "manage_deployments"))
    return (
      <>
        {head}
        <EmptyState
          title={t`You may not create deployments here`}
          action={
            <Link className="btn" to={paths.deployments}>
              {t`See the deployments`}
            </Link>
          }
        >
          <Trans>
            Your role in <bdi>{user.organization.name}</bdi> only looks. Editors and admins create deployments.
          </Trans>
        </EmptyState>
      </>
    );
  if (user?.impersonated_by)
    return (
      <>
        {head}
        <div className="mt-4">
          <ImpersonationNotice>{t`Deployments cannot be created meanwhile: each comes with a token that lasts.`}</ImpersonationNotice>
        </div>
      </>
    );
  return (
    <>
      {head}
      {plan?.private_cloud === false ? <NotOnPlanNotice planName={plan.name} what={t`private cloud`} /> : null}
      <div className="mt-6">
        <DeploymentWizard />
      </div>
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<void> => client.prefetchQuery(providersQuery);
