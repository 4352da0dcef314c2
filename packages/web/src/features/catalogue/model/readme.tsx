import type { ModelDetail } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { MarkdownRenderer } from "#/components/ui/markdown/markdown-renderer.tsx";

/** The readme of a model; where it has none, the page on the hub that has. */
export function Readme({ model: { id, readme } }: { model: ModelDetail }) {
  // Not `Markdown`, which shows the source until the renderer is loaded: this is loaded with it.
  if (readme)
    return (
      <div className="prose">
        <MarkdownRenderer text={readme} streaming={false} />
      </div>
    );
  return (
    <EmptyState
      title={t`There is no readme here`}
      action={
        <a className="btn" href={`https://huggingface.co/${id}`} rel="noopener noreferrer">
          {t`Its page on Hugging Face`}
        </a>
      }
    >
      <Trans>
        Readmes come with models that are pulled to this platform. The publisher of <ModelId id={id} /> keeps one on the
        model hub.
      </Trans>
    </EmptyState>
  );
}
