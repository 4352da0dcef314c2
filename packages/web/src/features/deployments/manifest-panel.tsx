import type { DeploymentCreate } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { downloadText } from "#/lib/browser/download-text.ts";
import { toManifest } from "./manifest.ts";

const MANIFEST_FILE_NAME = "deployment.yaml";

/** The settings as a manifest, and the command that applies it. */
export function ManifestPanel({ body }: { body: DeploymentCreate }) {
  const text = toManifest(body);
  const command = `feather deployments apply -f ${MANIFEST_FILE_NAME}`;
  return (
    <>
      <div className="code">
        <div className="bar">
          <span>{MANIFEST_FILE_NAME}</span>
          <span className="end row">
            <button
              type="button"
              className="plain"
              onClick={() => downloadText(MANIFEST_FILE_NAME, "application/yaml", text)}
            >
              {t`Save`}
            </button>
            <CopyButton text={text} subject={t`the manifest`} />
          </span>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard too */}
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
      </div>
      <p className="row between small faint mt-2">
        <code className="mono">{command}</code>
        <CopyButton text={command} subject={t`the command`} />
      </p>
    </>
  );
}
