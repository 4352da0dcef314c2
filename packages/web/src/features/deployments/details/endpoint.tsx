import type { Deployment } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { CodeTabs } from "#/components/ui/code/code-tabs.tsx";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { createDeploymentSamples } from "../code-samples.ts";
import { TokenDialog } from "../token-dialog.tsx";
import { LinkDialog, type LoginLink } from "./link-dialog.tsx";

type Props = { deployment: Deployment; canManage: boolean };

/** The URL of a deployment, code samples, and its credentials. */
export function Endpoint({ deployment, canManage }: Props) {
  const { url, state, visibility } = deployment;
  return (
    <section aria-labelledby="endpoint">
      <h2 className="h4" id="endpoint">
        {t`Endpoint`}
      </h2>
      {url === null || state === "deleting" ? (
        <p className="muted small mt-2">{t`Its address has ended.`}</p>
      ) : (
        <>
          <p className="row between mt-2 address">
            <code className="mono">{url}</code>
            <CopyButton text={url} subject={t`the address`} />
          </p>
          <div className="mt-3">
            <CodeTabs samples={createDeploymentSamples({ ...deployment, url })} />
          </div>
          <p className="small faint mt-2">
            {visibility === "public"
              ? t`Everybody who knows the address may call it, without a token.`
              : t`Send its token, or a key of the organization. The CLI sends your key.`}
          </p>
          {canManage ? <SecretActions deployment={deployment} /> : null}
        </>
      )}
    </section>
  );
}

function SecretActions({ deployment: { id, name, url } }: Omit<Props, "canManage">) {
  const confirm = useConfirm();
  const [token, setToken] = useState<string | null>(null);
  const [link, setLink] = useState<LoginLink | null>(null);
  const rotation = useAction(() => feather.deployments.rotateToken(id), {
    onSuccess: (rotated) => setToken(rotated.token),
  });
  const linking = useAction(() => feather.deployments.login(id), { onSuccess: setLink });

  function replaceToken(): void {
    confirm({
      title: t`Replace the token of ${name}`,
      description: t`The token from before ends at once: programs that send it are refused until they have the new one.`,
      confirmButtonText: t`Replace the token`,
      destructive: true,
      action: async () => {
        await rotation.run();
      },
    });
  }

  return (
    <>
      <div className="row wrapping mt-3">
        <button type="button" className="btn" onClick={replaceToken}>
          {t`Replace token`}
        </button>
        <button type="button" className="btn" disabled={linking.busy} onClick={() => void linking.run()}>
          {t`One-time link`}
        </button>
      </div>
      <TokenDialog name={name} url={url} token={token} close={() => setToken(null)} />
      <LinkDialog name={name} link={link} close={() => setLink(null)} />
    </>
  );
}
