import type { Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Suspense } from "react";
import { Link } from "react-router-dom";
import { CodeTabs } from "#/components/ui/code/code-tabs.tsx";
import { LoginLink } from "#/components/ui/controls/login-link.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { isBeingDownloaded } from "#/entities/models/availability.ts";
import { useUser } from "#/entities/session/user.ts";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { formatBytes } from "#/lib/format.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";
import { useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./how-to-run.module.css";

// Only administrators see it.
const RunHere = lazyComponent(async () => (await import("./run-here.tsx")).RunHere);

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

/** The ways in which an admin makes a model run: on this machine, or at a provider or another server. */
function WaysToRun({ model }: { model: Model }) {
  const fitsHere = model.fit?.verdict !== "too_large";
  return (
    <>
      {fitsHere ? (
        <Suspense fallback={<Skeleton height={72} />}>
          <RunHere model={model} />
        </Suspense>
      ) : (
        <p className="muted mt-3">{describeFit(model)}</p>
      )}
      <p className="muted mt-3">
        <Trans>
          Or{" "}
          <Link className="link" to="/admin/backends/create">
            connect a provider or server
          </Link>{" "}
          that has it. A server of models that is started beside Feather is found within half a minute:
        </Trans>
      </p>
      <CodeTabs samples={createRunSamples(model)} />
    </>
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

/** Says that nothing runs the model and whether it can be downloaded to this server, if the visitor may know that. */
function describeFit({ fit }: Model): string {
  if (fit?.verdict === "too_large" && fit.memory_bytes !== null) {
    const [memory, available] = [formatBytes(fit.memory_bytes), formatBytes(fit.available_bytes)];
    return t`Nothing here runs it just now. It is too large for this machine: it takes ${memory} of memory or more, and models may take ${available}.`;
  }
  if (fit && fit.memory_bytes !== null) {
    const memory = formatBytes(fit.memory_bytes);
    return t`Nothing here runs it just now. It fits this machine with about ${memory} of memory: an admin can download it.`;
  }
  return t`Nothing here runs it just now. An admin can download it to this machine, if the memory is enough, or connect a provider that has it.`;
}

const createRunSamples = ({ id, fit }: Model): { name: string; code: string }[] => [
  ...(fit?.verdict === "too_large" ? [] : [{ name: t`Terminal`, code: `feather run ${id}` }]),
  { name: "vLLM", code: `vllm serve ${id} --port 8000` },
  { name: "SGLang", code: `python -m sglang.launch_server --model-path ${id} --port 8000` },
  {
    name: t`Another machine`,
    code: `FEATHER_BACKENDS='[{"name": "gpu-1",\n  "base_url": "http://10.0.0.5:8000/v1",\n  "models": ["${id}"]}]' npm start`,
  },
];
