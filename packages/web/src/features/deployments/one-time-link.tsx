import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { CodeTabs } from "#/components/ui/code/code-tabs.tsx";
import { CopyBlock } from "#/components/ui/code/copy-block.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { createDateFormat } from "#/lib/format.ts";
import { useAction } from "#/lib/use-action.ts";
import { createDeploymentSamples } from "./code-samples.ts";
import styles from "./one-time-link.module.css";

type RedeemedLink = Awaited<ReturnType<typeof feather.deployments.redeemLogin>>;

const timeFormat = createDateFormat({ timeStyle: "short" });

/** Redeems a one-time link. It works once, so it is only redeemed on click. */
export function OneTimeLink({ token, onUsed }: { token: string; onUsed(): void }) {
  const [redeemed, setRedeemed] = useState<RedeemedLink | null>(null);
  const { run, busy, error } = useAction(() => feather.deployments.redeemLogin({ token }), {
    showsError: true,
    onSuccess(link) {
      setRedeemed(link);
      onUsed();
    },
  });

  if (redeemed) return <RedeemedLinkView redeemed={redeemed} />;
  return (
    <>
      <h1 className="h2">{t`Open a deployment`}</h1>
      <p className={`muted mt-2 ${styles.intro}`}>
        {t`Somebody gave you a link to a deployment. It works once: opening it gives you a token that lasts an hour.`}
      </p>
      {error ? (
        <p className="notice mt-4" role="alert">
          {errorMessage(error)}
        </p>
      ) : null}
      <button type="button" className="btn primary mt-6" disabled={busy} aria-busy={busy} onClick={() => void run()}>
        {busy ? t`Opening …` : t`Open the deployment`}
      </button>
    </>
  );
}

function RedeemedLinkView({
  redeemed: { deployment_id: id, name, model_id, url, token, expires_at },
}: {
  redeemed: RedeemedLink;
}) {
  return (
    <div className={styles.opened}>
      <h1 className="h2">{name}</h1>
      <p className="small muted mt-2">
        <ModelId id={model_id} />
      </p>
      <p className="muted mt-4" role="status">
        <Trans>This token opens it until {timeFormat.format(expires_at)}. Copy it before you leave this page.</Trans>
      </p>
      <CopyBlock text={token} />
      <div className="mt-4">
        <CodeTabs samples={createDeploymentSamples({ id, url, model_id, visibility: "private" }).slice(0, 3)} />
      </div>
    </div>
  );
}
