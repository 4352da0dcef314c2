import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { CodeTabs, CopyBlock } from "#/components/ui/code.tsx";
import { ModelId } from "#/components/ui/primitives.tsx";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { createDateFormat } from "#/lib/format.ts";
import { createDeploymentSamples } from "./code-samples.ts";

type RedeemedLink = Awaited<ReturnType<typeof feather.deployments.redeemLogin>>;

const timeFormat = createDateFormat({ timeStyle: "short" });

/** Redeems a one-time link. It works once, so it is only redeemed on click. */
export function OneTimeLink({ token, onUsed }: { token: string; onUsed(): void }) {
  const [redeemed, setRedeemed] = useState<RedeemedLink | null>(null);
  const [errorText, setErrorText] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function redeem(): Promise<void> {
    setBusy(true);
    setErrorText(null);
    try {
      setRedeemed(await feather.deployments.redeemLogin({ token }));
      onUsed();
    } catch (error) {
      setErrorText(errorMessage(error));
    } finally {
      setBusy(false);
    }
  }

  if (redeemed) return <RedeemedLinkView redeemed={redeemed} />;
  return (
    <>
      <h1 className="h2">{t`Open a deployment`}</h1>
      <p className="mid mt-2" style={{ maxWidth: "56ch" }}>
        {t`Somebody gave you a link to a deployment. It works once: opening it gives you a token that lasts an hour.`}
      </p>
      {errorText ? (
        <p className="notice mt-4" role="alert">
          {errorText}
        </p>
      ) : null}
      <button type="button" className="btn primary mt-6" disabled={busy} aria-busy={busy} onClick={() => void redeem()}>
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
    <div className="opened">
      <h1 className="h2">{name}</h1>
      <p className="small mid mt-2">
        <ModelId id={model_id} />
      </p>
      <p className="mid mt-4" role="status">
        <Trans>This token opens it until {timeFormat.format(expires_at)}. Copy it before you leave this page.</Trans>
      </p>
      <CopyBlock text={token} />
      <div className="mt-4">
        <CodeTabs samples={createDeploymentSamples({ id, url, model_id, visibility: "private" }).slice(0, 3)} />
      </div>
    </div>
  );
}
