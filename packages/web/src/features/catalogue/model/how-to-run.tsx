import type { Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Suspense } from "react";
import { Link } from "react-router-dom";
import { CodeTabs } from "#/components/ui/code/code-tabs.tsx";
import { LoginLink } from "#/components/ui/controls/login-link.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
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

/** Says how to run a model that no backend has and how far its download is, or asks the server's operator to. */
export function HowToRun({ model }: { model: Model }) {
  const { user } = useUser();
  if (isBeingDownloaded(model.availability))
    return (
      <div className={styles.howToRun}>
        {user?.is_admin ? (
          <Suspense fallback={<Skeleton height={72} />}>
            <RunHere model={model} />
          </Suspense>
        ) : (
          <p className="muted mt-3">{t`It is being downloaded to this machine, and answers when all of it is here.`}</p>
        )}
      </div>
    );
  const offersDownload = user?.is_admin === true && model.fit?.verdict !== "too_large";
  return (
    <div className={styles.howToRun}>
      {offersDownload ? (
        <Suspense fallback={<Skeleton height={72} />}>
          <RunHere model={model} />
        </Suspense>
      ) : null}
      <p className="muted mt-3">
        {offersDownload ? t`Or run it elsewhere.` : describeDownload(model)}{" "}
        <Trans>
          Started beside Feather it is found within half a minute; or{" "}
          <Link className="link" to={paths.docs("backends")}>
            add a backend by its address
          </Link>
          .
        </Trans>
      </p>
      <CodeTabs samples={createRunSamples(model)} />
      {offersDownload ? null : <ModelRequest model={model} />}
    </div>
  );
}

/** Asks the server's operator for a model. */
function ModelRequest({ model }: { model: Model }) {
  const sendsMail = useMailDelivery();
  const { user } = useUser();
  const requestModel = useAction(() => feather.models.request(model.id, {}), { showsError: true, once: true });
  return (
    <p className="small muted mt-3" role="status">
      {requestModel.done || model.status === "pending_deploy" ? (
        <>
          {t`Requested. An admin of this server sees it in their list and decides.`}
          {sendsMail ? <> {t`You get a mail when it runs here.`}</> : null}
        </>
      ) : requestModel.error ? (
        errorMessage(requestModel.error)
      ) : (
        <>
          {t`Not your server?`}{" "}
          {user ? (
            <button type="button" className="link" onClick={() => void requestModel.run()} disabled={requestModel.busy}>
              {t`Ask its operator for this model`}
            </button>
          ) : (
            <LoginLink>{t`Log in to ask its operator for this model`}</LoginLink>
          )}
        </>
      )}
    </p>
  );
}

/** Says whether the model can be downloaded to this server, if the visitor may know that. */
function describeDownload({ fit }: Model): string {
  if (fit?.verdict === "too_large" && fit.memory_bytes !== null) {
    const [memory, available] = [formatBytes(fit.memory_bytes), formatBytes(fit.available_bytes)];
    return t`Nothing here runs it just now. It is too large for this machine: it takes ${memory} of memory or more, and models may take ${available}.`;
  }
  if (fit && fit.memory_bytes !== null) {
    const memory = formatBytes(fit.memory_bytes);
    return t`Nothing here runs it just now. It fits this machine with about ${memory} of memory: an admin can download it.`;
  }
  return t`Nothing here runs it just now. An admin can download it to this machine, if the memory is enough.`;
}

const createRunSamples = ({ id, fit }: Model): { name: string; code: string }[] => [
  ...(fit?.verdict === "too_large" ? [] : [{ name: t`This machine`, code: `feather run ${id}` }]),
  { name: "vLLM", code: `vllm serve ${id} --port 8000` },
  { name: "SGLang", code: `python -m sglang.launch_server --model-path ${id} --port 8000` },
  {
    name: t`Another machine`,
    code: `FEATHER_BACKENDS='[{"name": "gpu-1",\n  "base_url": "http://10.0.0.5:8000/v1",\n  "models": ["${id}"]}]' npm start`,
  },
];
