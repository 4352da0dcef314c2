import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { ModelId } from "#/components/ui/bits.tsx";
import { CodeTabs, CopyBlock } from "#/components/ui/code.tsx";
import { feather } from "#/lib/feather.ts";
import { dateFormat } from "#/lib/format.ts";
import { faultText } from "./faults.ts";
import { deploymentSamples } from "./snippets.ts";

type Opened = Awaited<ReturnType<typeof feather.deployments.redeemLogin>>;

const clock = dateFormat({ timeStyle: "short" });

/** Redeems a one-time link. It works once, so it is only redeemed on click. */
export function OneTimeLink({ token, used }: { token: string; used(): void }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function open(): Promise<void> {
    setBusy(true);
    setFault(null);
    try {
      setOpened(await feather.deployments.redeemLogin({ token }));
      used();
    } catch (error) {
      setFault(faultText(error));
    } finally {
      setBusy(false);
    }
  }

  if (opened) return <OpenedView opened={opened} />;
  return (
    <>
      <h1 className="h2">{t`Open a deployment`}</h1>
      <p className="mid mt-2" style={{ maxWidth: "56ch" }}>
        {t`Somebody gave you a link to a deployment. It works once: opening it gives you a token that lasts an hour.`}
      </p>
      {fault ? (
        <p className="notice mt-4" role="alert">
          {fault}
        </p>
      ) : null}
      <button type="button" className="btn primary mt-6" disabled={busy} aria-busy={busy} onClick={() => void open()}>
        {busy ? t`Opening …` : t`Open the deployment`}
      </button>
    </>
  );
}

function OpenedView({ opened: { deployment_id: id, name, model_id, url, token, expires_at } }: { opened: Opened }) {
  return (
    <div className="opened">
      <h1 className="h2">{name}</h1>
      <p className="small mid mt-2">
        <ModelId id={model_id} />
      </p>
      <p className="mid mt-4" role="status">
        <Trans>This token opens it until {clock.format(expires_at)}. Copy it before you leave this page.</Trans>
      </p>
      <CopyBlock text={token} />
      <div className="mt-4">
        <CodeTabs samples={deploymentSamples({ id, url, model_id, visibility: "private" }).slice(0, 3)} />
      </div>
    </div>
  );
}
