import type { ModelDetail } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { MarkdownRenderer } from "#/components/ui/markdown/markdown-renderer.tsx";

/** The readme of a model; where it has none, a line with the page on the hub that may have one. */
export function Readme({ model: { id, readme } }: { model: Pick<ModelDetail, "id" | "readme"> }) {
  // Not `Markdown`, which shows the source until the renderer is loaded: this is loaded with it.
  if (readme)
    return (
      <div className="prose">
        <MarkdownRenderer text={readme} streaming={false} />
      </div>
    );
  return (
    <p className="muted">
      {t`There is no readme here`}.{" "}
      <a className="link" href={`https://huggingface.co/${id}`} rel="noopener noreferrer">
        {t`Its page on Hugging Face`}
      </a>
    </p>
  );
}
