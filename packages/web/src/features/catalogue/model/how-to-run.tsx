import type { Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Suspense } from "react";
import { LoginLink } from "#/components/ui/controls/login-link.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { isBeingDownloaded } from "#/entities/models/availability.ts";
import { useUser } from "#/entities/session/user.ts";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";
import { useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";
import { describeFit } from "./describe-fit.ts";
import styles from "./how-to-run.module.css";

// Only administrators see them.
const RunHere = lazyComponent(async () => (await import("./run-here.tsx")).RunHere);
const WaysToRun = lazyComponent(async () => (await import("./ways-to-run.tsx")).WaysToRun);

/**
 * Says how a model that no backend has can be called here: to admins the two ways to make it run, to others whom to ask. Says
 * how far a download is.
 */
export function HowToRun({ model }: { model: Model }) {
  const { user } = useUser();
  const isAdmin = user?.is_admin === true;
  if (isBeingDownloaded(model.availability))
    return (
      <div className={styles.howToRun}>
        {isAdmin ? (
          <Suspense fallback={<Skeleton height={72} />}>
            <RunHere model={model} />
          </Suspense>
        ) : (
          <p className="muted mt-3">{t`It is being downloaded to this machine, and answers when all of it is here.`}</p>
        )}
      </div>
    );
  return (
    <div className={styles.howToRun}>{isAdmin ? <WaysToRun model={model} /> : <ModelRequest model={model} />}</div>
  );
}

/** Asks the server's operator for a model. */
function ModelRequest({ model }: { model: Model }) {
  const sendsMail = useMailDelivery();
  const { user } = useUser();
  const requestModel = useAction(() => feather.models.request(model.id, {}), { showsError: true, once: true });
  const isRequested = requestModel.done || model.status === "pending_deploy";
  return (
    <>
      <p className="muted mt-3">{describeFit(model)}</p>
      <div className="mt-3" role="status">
        {isRequested ? (
          <p className="muted">
            {t`Requested. An admin of this server sees it in their list and decides.`}
            {sendsMail ? <> {t`You get a mail when it runs here.`}</> : null}
          </p>
        ) : requestModel.error ? (
          <p className="muted">{errorMessage(requestModel.error)}</p>
        ) : user ? (
          <button type="button" className="btn" onClick={() => void requestModel.run()} disabled={requestModel.busy}>
            {t`Ask for this model`}
          </button>
        ) : (
          <LoginLink className="btn">{t`Log in to ask for this model`}</LoginLink>
        )}
      </div>
    </>
  );
}
