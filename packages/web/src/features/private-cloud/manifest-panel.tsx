import { t } from "@lingui/core/macro";
import { CopyButton } from "#/components/ui/code.tsx";
import { save } from "#/lib/download.ts";
import { manifest } from "./manifest.ts";
import type { DeploymentBody } from "./settings.ts";

const FILE = "deployment.yaml";

/** The settings as a manifest, and the command that applies it. */
export function ManifestPanel({ body }: { body: DeploymentBody }) {
  const text = manifest(body);
  const command = `feather deployments apply -f ${FILE}`;
  return (
    <>
      <div className="code">
        <div className="bar">
          <span>{FILE}</span>
          <span className="end row">
            <button type="button" className="plain" onClick={() => save(FILE, "application/yaml", text)}>
              {t`Save`}
            </button>
            <CopyButton text={text} what={t`the manifest`} />
          </span>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard too */}
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
      </div>
      <p className="row between small dim mt-2">
        <code className="mono">{command}</code>
        <CopyButton text={command} what={t`the command`} />
      </p>
    </>
  );
}
